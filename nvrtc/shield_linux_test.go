//go:build linux && (amd64 || arm64)

package nvrtc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// What a shield holds off happens to a whole process, so that each test runs
// one: this test binary again, as far as TestShieldChild.

// child runs a scene of TestShieldChild and returns how it ended and what it said.
func child(t *testing.T, c *nvrtc.Compiler, shield nvrtc.Shield, scene string) (syscall.WaitStatus, string) {
	t.Helper()
	limit := 10 * time.Minute
	if scene == "taken" { // which may hang
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestShieldChild$", "-test.count=1", "-test.v")
	cmd.Env = append(os.Environ(), "SHIELD_SCENE="+scene, "SHIELD_NVRTC="+c.Path(), "SHIELD="+strconv.Itoa(int(shield)))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, out)
	}
	if scene != "taken" {
		require.NoError(t, ctx.Err(), "it hung\n%s", out)
	}
	return cmd.ProcessState.Sys().(syscall.WaitStatus), string(out)
}

func TestShields(t *testing.T) {
	for _, shield := range []nvrtc.Shield{nvrtc.ShieldImports, nvrtc.ShieldFilter, nvrtc.ShieldRestore} {
		t.Run(shield.String(), func(t *testing.T) {
			if shield == nvrtc.ShieldFilter && withCgo {
				t.Skip("not with cgo")
			}
			everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
				if testing.Short() && c.Version() != nvrtctest.Reals()[0].Version() {
					t.Skip("the newest alone")
				}
				for _, scene := range []string{"notify", "ignore", "limits"} {
					if shield == nvrtc.ShieldRestore && scene == "limits" {
						continue // it can't
					}
					t.Run(scene, func(t *testing.T) {
						status, out := child(t, c, shield, scene)
						assert.Zero(t, status.ExitStatus(), "%s", out)
						assert.False(t, status.Signaled(), "%s", out)
						assert.Contains(t, out, "shield "+shield.String())
						for line := range strings.Lines(out) {
							if strings.HasPrefix(line, "shield") {
								t.Log(strings.TrimSpace(line))
							}
						}
					})
				}
				t.Run("exit", func(t *testing.T) {
					status, out := child(t, c, shield, "exit")
					assert.Equal(t, 42, status.ExitStatus(), "%s", out)
				})
				for _, scene := range []string{"die", "die on thread"} {
					t.Run(scene, func(t *testing.T) {
						status, out := child(t, c, shield, scene)
						assert.True(t, status.Signaled(), "exit status %d\n%s", status.ExitStatus(), out)
						assert.Equal(t, syscall.SIGINT, status.Signal(), "%s", out)
					})
				}
			})
		})
	}
}

// Without a shield NVRTC does what the shields are for; were it not so, the
// tests above would show nothing. And what it leaves behind is noticed and put right.
func TestNoShield(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		status, out := child(t, c, nvrtc.ShieldNone, "taken")
		// 4 as a rule; a crash or a hang has been seen, for the handler runs on
		// whatever stack there is, and calls exit in the middle of a compile.
		assert.NotContains(t, []int{0, 1, 42}, status.ExitStatus(), "%s", out)
		assert.NotContains(t, out, "FAIL")
		t.Logf("exit status %d", status.ExitStatus())
		status, out = child(t, c, nvrtc.ShieldNone, "repair")
		assert.Zero(t, status.ExitStatus(), "%s", out)
	})
}

func TestShieldOfADouble(t *testing.T) {
	c, _ := bindTo(t, nvrtctest.Config{})
	shield, err := c.Shield()
	assert.Equal(t, nvrtc.ShieldNone, shield)
	assert.NoError(t, err)
	assert.Equal(t, "none", shield.String())
	assert.Equal(t, "shield 9", nvrtc.Shield(9).String())
}

// Two NVRTCs of the process compile at once, each shielded.
func TestShieldOfTwo(t *testing.T) {
	nvrtctest.Real(t, dlVersion(0, 0))
	reals := nvrtctest.Reals()
	if len(reals) < 2 {
		t.Skip("one NVRTC alone")
	}
	before := actions(t)
	done := make(chan error)
	for _, c := range reals {
		shield, err := c.Shield()
		require.NoError(t, err)
		require.Equal(t, nvrtc.ShieldImports, shield)
		again, err := nvrtc.Open(nvrtc.Config{Path: c.Path()})
		require.NoError(t, err)
		shield, err = again.Shield()
		assert.NoError(t, err, "opened twice")
		assert.Equal(t, nvrtc.ShieldImports, shield)
		for _, c := range []*nvrtc.Compiler{c, again} {
			go func() { done <- compile(c, slowSource(60)) }()
		}
		defer again.Close()
	}
	for range 2 * len(reals) {
		assert.NoError(t, <-done)
	}
	assert.Equal(t, before, actions(t))
}

func compile(c *nvrtc.Compiler, source string) error {
	p, err := c.NewProgram(source, nvrtc.ProgramConfig{Name: "shield.cu"})
	if err != nil {
		return err
	}
	if err := p.Compile(context.Background(), "-arch=compute_80"); err != nil {
		return fmt.Errorf("%+v", err)
	}
	return p.Close()
}
