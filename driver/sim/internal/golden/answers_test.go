package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

func sample() *golden.Answers {
	return &golden.Answers{About: golden.About{GPU: "a GPU", Arch: 90, Driver: "580.1", CUDA: "13.0", Date: "2026-11-30"}, Answers: []golden.Answer{
		{Name: "a", Key: golden.Key("text", []byte{1}), Outputs: []golden.Output{{4, []byte{1, 2, 3, 4, 5, 6, 7, 8}}, {1, []byte{0, 1}}}},
		{Name: "b", Key: golden.Key("text", []byte{2}), Outputs: []golden.Output{{4, []byte{1, 2, 3, 4, 5, 6, 7, 8}}}},
		{Name: "c", Outputs: []golden.Output{{16, make([]byte, 16)}}},
	}}
}

func TestAnswersFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "x.gz")
	none, err := golden.ReadAnswers(path)
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, sample().Write(path))
	got, err := golden.ReadAnswers(path)
	require.NoError(t, err)
	assert.Equal(t, sample(), got)
	assert.Equal(t, "b", got.Find("b").Name)
	assert.Nil(t, got.Find("d"))

	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, got.Write(path))
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, first, again, "the same answers make the same file")
	for _, bad := range [][]byte{nil, []byte("text"), first[:len(first)/2]} {
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		_, err := golden.ReadAnswers(path)
		assert.Error(t, err)
	}
}

func TestKey(t *testing.T) {
	keys := map[string]bool{}
	for _, k := range []string{golden.Key("a"), golden.Key("a", nil), golden.Key("", []byte("a")), golden.Key("a", []byte{1}, []byte{2}), golden.Key("a", []byte{1, 2}), golden.Key("b", []byte{1, 2})} {
		assert.False(t, keys[k])
		keys[k] = true
		assert.Len(t, k, 16)
	}
}

func TestCompare(t *testing.T) {
	want := sample().Answers[0].Outputs
	assert.Nil(t, golden.Compare(want, sample().Answers[0].Outputs))
	for i, bad := range [][]golden.Output{
		{want[0]},
		{want[0], {1, []byte{0}}},
		{want[0], {2, []byte{0, 1}}},
		{want[0], {1, []byte{0, 3}}},
		{{4, []byte{1, 2, 3, 4, 5, 6, 7, 0x88}}, want[1]},
	} {
		assert.NotNil(t, golden.Compare(want, bad), i)
	}
	d := golden.Compare(want, []golden.Output{{4, []byte{1, 2, 3, 4, 5, 6, 7, 0x88}}, {1, []byte{1, 1}}})
	assert.Equal(t, &golden.Difference{Output: 0, Index: 1, Want: 0x08070605, Got: 0x88070605, Count: 2}, d)
	assert.Equal(t, "2 numbers differ, the first is number 1 of output 0: 0x88070605 instead of 0x8070605", d.String())
	high := golden.Compare([]golden.Output{{16, make([]byte, 16)}}, []golden.Output{{16, append(make([]byte, 15), 1)}})
	assert.NotNil(t, high, "bytes that the message does not show")
}
