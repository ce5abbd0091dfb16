package misuse_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/misuse"
)

const file = "testdata/answers.txt"

// libraryVariable says which driver a child calls.
const libraryVariable = "PURECUDA_MISUSE_LIBRARY"

// TestAnswers holds the simulated driver to the codes of a real one.
func TestAnswers(t *testing.T) {
	about, want, err := misuse.Read(file)
	require.NoError(t, err)
	if want == nil {
		golden.Unrecorded(t)
	}
	answers, err := misuse.Simulate(misuse.Scenarios(), misuse.Dead(want))
	require.NoError(t, err)
	got := map[misuse.Call]string{}
	for _, a := range answers {
		got[a.Call] = a.Code
	}
	right, used := 0, map[string]bool{}
	for _, a := range want {
		code, asked := got[a.Call]
		delete(got, a.Call)
		switch why := misuse.ReasonFor(a.Call); {
		case asked && (code == a.Code || a.Code == misuse.Varies):
			right++
		case why != "":
			used[why] = true
		case !asked:
			t.Errorf("%s: %s is recorded, and no scenario asks it", a.Name, a.Function)
		default:
			t.Errorf("%s: %s gives %s, not %s", a.Name, a.Function, code, a.Code)
		}
	}
	exact, err := os.ReadFile("../../../EXACT.md")
	require.NoError(t, err)
	for _, r := range misuse.Different() {
		assert.True(t, used[r.Text], "nothing differs for that reason: %s", r.Text)
		assert.Contains(t, string(exact), "\n- "+r.Text+"\n")
	}
	for c := range got {
		t.Logf("unverified: %s: %s", c.Name, c.Function)
	}
	t.Logf("%s: %d of %d equal, %d not recorded", about, right, len(want), len(got))
}

// TestMerge finds what two recordings do not agree on.
func TestMerge(t *testing.T) {
	a, b, c := misuse.Call{Name: "a", Function: "f"}, misuse.Call{Name: "b", Function: "f"}, misuse.Call{Name: "c", Function: "f"}
	assert.Equal(t, []misuse.Answer{{Call: a, Code: "X"}, {Call: b, Code: misuse.Varies}, {Call: c, Code: misuse.Varies}},
		misuse.Merge([]misuse.Answer{{Call: a, Code: "X"}, {Call: b, Code: "X"}, {Call: c, Code: "X"}}, []misuse.Answer{{Call: b, Code: "Y"}, {Call: a, Code: "X"}}))
}

// TestFile reads what was written, and nothing else.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "answers.txt")
	_, none, err := misuse.Read(path)
	require.NoError(t, err)
	require.Nil(t, none)
	want := []misuse.Answer{{Call: misuse.Call{Name: "a: b", Function: "f"}, Code: "X"}, {Call: misuse.Call{Name: "a", Function: "f"}, Code: misuse.Crash}}
	require.NoError(t, misuse.Write(path, "of a GPU", want))
	about, got, err := misuse.Read(path)
	require.NoError(t, err)
	assert.Equal(t, "of a GPU", about)
	assert.Equal(t, want, got)
	for _, bad := range []string{"a\tf\n", "a\tf\tX\na\tf\tX\n"} {
		require.NoError(t, os.WriteFile(path, []byte(bad), 0o600))
		_, _, err := misuse.Read(path)
		assert.Error(t, err)
	}
}

// TestCalls holds the scenarios to running, and to names that tell their calls apart.
func TestCalls(t *testing.T) {
	answers, err := misuse.Simulate(misuse.Scenarios(), nil)
	require.NoError(t, err)
	seen := map[misuse.Call]bool{}
	for _, a := range answers {
		assert.False(t, seen[a.Call], "%s: %s is there twice", a.Name, a.Function)
		seen[a.Call] = true
	}
	assert.Greater(t, len(answers), 250)
}

// TestGPU asks a GPU. With PURECUDA_UPDATE what it gives is written down, else it is compared with what is.
func TestGPU(t *testing.T) {
	gpu, err := golden.OpenGPU()
	if err != nil {
		golden.Skip(t, "gpu", "no GPU: "+err.Error())
	}
	about := gpu.About()
	require.NoError(t, gpu.Close())
	begun := time.Now()
	var one, two []misuse.Answer
	var both sync.WaitGroup
	both.Go(func() { one = recorder(t, "libcuda").Record(misuse.Scenarios()) })
	both.Go(func() { two = recorder(t, "libcuda").Record(misuse.Scenarios()) })
	both.Wait()
	t.Logf("%d and %d answers in %s", len(one), len(two), time.Since(begun).Round(time.Second))
	merged := misuse.Merge(one, two)
	for _, a := range merged {
		if a.Code == misuse.Varies {
			t.Logf("varies: %s: %s", a.Name, a.Function)
		}
	}
	if os.Getenv("PURECUDA_UPDATE") != "" {
		line := fmt.Sprintf("%s, compute capability %d.%d, driver %s, CUDA %s, %s", about.GPU, about.Arch/10, about.Arch%10, about.Driver, about.CUDA, about.Date)
		require.NoError(t, misuse.Write(file, line, merged))
		return
	}
	_, want, err := misuse.Read(file)
	require.NoError(t, err)
	varies := map[misuse.Call]bool{} // in one recording or the other
	for _, a := range slices.Concat(want, merged) {
		varies[a.Call] = varies[a.Call] || a.Code == misuse.Varies
	}
	steady := func(all []misuse.Answer) []misuse.Answer {
		return slices.DeleteFunc(all, func(a misuse.Answer) bool { return varies[a.Call] })
	}
	require.Equal(t, steady(want), steady(merged))
}

// TestChildren records the simulated driver in child processes: what comes back is what it gives in this one.
func TestChildren(t *testing.T) {
	got := recorder(t, "sim").Record(misuse.Scenarios())
	want, err := misuse.Simulate(misuse.Scenarios(), nil)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// TestDeadCalls has calls that end the process and that do not come back: they are answers, and what comes behind them is asked, too.
func TestDeadCalls(t *testing.T) {
	r := recorder(t, "deadly")
	r.Patience = 2 * time.Second
	got := r.Record(few())
	want, err := misuse.Simulate(few(), map[misuse.Call]string{
		{Name: "no such device: 99", Function: "cuDeviceGetName"}:     misuse.Crash,
		{Name: "no such device: -1", Function: "cuDeviceTotalMem_v2"}: misuse.Hang,
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Len(t, misuse.Dead(got), 2)
}

// few are two scenarios of one process.
func few() []misuse.Scenario {
	var list []misuse.Scenario
	for _, s := range misuse.Scenarios() {
		if s.Name == "no such device" || s.Name == "device" {
			list = append(list, s)
		}
	}
	return list
}

// A deadly driver ends the process when it is asked for the name of device 99, and waits for ever when for the memory of device -1.
type deadly struct{ dl.Resolver }

func (d deadly) Lookup(symbol string) (dl.Func, error) {
	f, err := d.Resolver.Lookup(symbol)
	do := f.Go
	f.Go = func(words []uintptr) uintptr {
		switch {
		case symbol == "cuDeviceGetName" && int32(words[2]) == 99:
			os.Exit(3)
		case symbol == "cuDeviceTotalMem_v2" && int32(words[1]) == -1:
			time.Sleep(time.Hour)
		}
		return do(words)
	}
	return f, err
}

// recorder starts children of this test binary that call a driver.
func recorder(t *testing.T, library string) *misuse.Recorder {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	return &misuse.Recorder{Patience: 15 * time.Second, Log: t.Logf, Command: func() *exec.Cmd {
		c := exec.Command(exe, "-test.run=^TestChild$", "-test.timeout=5m")
		c.Env = append(os.Environ(), libraryVariable+"="+library)
		return c
	}}
}

// TestChild is a child process of the tests above.
func TestChild(t *testing.T) {
	if !misuse.IsChild() {
		t.Skip("runs only as another test's child process")
	}
	list := misuse.Scenarios()
	var r dl.Resolver
	var err error
	switch os.Getenv(libraryVariable) {
	case "sim":
		r, err = sim.New(sim.Config{})
	case "deadly":
		r, err = sim.New(sim.Config{})
		r, list = deadly{r}, few()
	default:
		r, err = dl.CUDA.Open("")
	}
	require.NoError(t, err)
	require.NoError(t, misuse.Child(r, list, os.Stdout))
}
