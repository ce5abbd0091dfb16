package cache_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roleVariable has the test binary, run again, be another process that uses a
// Disk: what it does is roles' entry of that name.
const roleVariable = "PURECUDA_CACHE_TEST_ROLE"

// roles are filled by the files that need them. A role gets the arguments that
// follow its name and ends the process with what it returns.
var roles = map[string]func(arguments []string) int{}

func TestMain(m *testing.M) {
	if line := os.Getenv(roleVariable); line != "" {
		words := strings.Split(line, "\n")
		os.Exit(roles[words[0]](words[1:]))
	}
	os.Exit(m.Run())
}

// child makes a process of a role. What it says on stderr is shown if the test
// fails.
func child(t testing.TB, role ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self)
	c.Env = append(os.Environ(), roleVariable+"="+strings.Join(role, "\n"))
	c.Stderr = testLog{t}
	return c
}

// started starts it and waits for its first line.
func started(t testing.TB, c *exec.Cmd) (lines *bufio.Reader) {
	t.Helper()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines = bufio.NewReader(out)
	_, err = lines.ReadString('\n')
	require.NoError(t, err, "the child %q said nothing", c.Env[len(c.Env)-1])
	return lines
}

type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Logf("child: %s", b)
	return len(b), nil
}

var _ io.Writer = testLog{}

// missing skips a test for want of something, or fails it where
// PURECUDA_REQUIRE lists that.
func missing(t testing.TB, what, why string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what) {
		t.Fatalf("%s is required: %s", what, why)
	}
	t.Skipf("no %s: %s", what, why)
}
