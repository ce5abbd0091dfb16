package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The events were written by go test -json over small packages: one good, one with a failing subtest, one that ends the
// process in the middle of a test, one that does not compile, one without tests.
func TestSummary(t *testing.T) {
	tests := []struct {
		events string
		want   string
		ok     bool
	}{
		{"good.json", `
go: downloading something v1.0.0
ok  	example.org/m/good	TIME
skipped 2: no GPU (example.org/m/good)
skipped 1: no reason given (example.org/m/good)
tests: 2 passed, 0 failed, 3 skipped
`, true},
		{"mixed.json", `
# example.org/m/broken [example.org/m/broken.test]
broken/a_test.go:3:28: undefined: x
    a_test.go:3: wrong sum
--- FAIL: TestA/x (0.00s)
--- FAIL: TestA (0.00s)
FAIL
FAIL	example.org/m/bad	TIME
FAIL	example.org/m/broken [build failed]
FAIL	example.org/m/crash	TIME
    a_test.go:4: about to go
SIGSEGV here
?   	example.org/m/none	[no test files]
ok  	example.org/m/good	TIME
skipped 2: no GPU (example.org/m/good)
skipped 1: no reason given (example.org/m/good)
failed: example.org/m/bad TestA
failed: example.org/m/bad TestA/x
failed: example.org/m/crash TestA (did not end)
tests: 4 passed, 3 failed, 3 skipped; packages failed: 3
`, false},
	}
	for _, test := range tests {
		t.Run(test.events, func(t *testing.T) {
			in, err := os.Open(filepath.Join("testdata", test.events))
			require.NoError(t, err)
			defer in.Close()
			var out strings.Builder
			s := newSummary(&out)
			require.NoError(t, s.read(iotest.HalfReader(in)))
			assert.Equal(t, test.ok, s.finish())
			assert.Equal(t, strings.TrimPrefix(test.want, "\n"), out.String())
		})
	}
}

func TestSummaryOfNothing(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	require.NoError(t, s.read(strings.NewReader("")))
	assert.False(t, s.finish(), "no test ran, and that is no success")
	assert.Equal(t, "tests: 0 passed, 0 failed, 0 skipped\nno test ran\n", out.String())

	broken := errors.New("the pipe broke")
	assert.ErrorIs(t, s.read(iotest.ErrReader(broken)), broken)
}

func TestSkipReason(t *testing.T) {
	long := "    gpu_test.go:7: no GPU: " + strings.Repeat("é", 200) + "\n"
	assert.Equal(t, "no GPU: "+strings.Repeat("é", 111)+"…", skipReason([]string{"    a_test.go:1: before\n", long, "--- SKIP: TestX (0.00s)\n"}))
	assert.Equal(t, "before", skipReason([]string{"    a_test.go:1: before\n", "printed\n", "--- SKIP: TestX (0.00s)\n"}))
	assert.Equal(t, "no reason given", skipReason(nil))
}
