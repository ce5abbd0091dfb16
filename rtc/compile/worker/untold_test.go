//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

var caret = regexp.MustCompile(` *\^`) // below a line, at its end

// TestUntold has sources ask for what a worker may not read, and for the same under
// names that are not there: the error is one and the same.
func TestUntold(t *testing.T) {
	has := jail.Probe()
	if has.Landlock == 0 || !has.Seccomp {
		missing(t, "landlock", has.String())
	}
	secret, allowed := writeFile(t, "secret", "hush_hush\n"), t.TempDir()
	folder := filepath.Dir(secret)
	require.NoError(t, os.Symlink("loop", filepath.Join(folder, "loop")))
	require.NoError(t, os.Symlink("/nowhere", filepath.Join(folder, "dangling")))
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		for _, w := range []jail.Walls{has, {Seccomp: true}} {
			t.Run(w.String(), func(t *testing.T) {
				restore := worker.SetProbe(w)
				p := newPool(t, worker.Config{Workers: 1, Read: []string{allowed}})
				restore()
				t.Chdir(folder)
				ask := func(spelling, path string) string {
					source := fmt.Sprintf(spelling, path)
					e, err := p.Run(context.Background(), &compile.Request{Compiler: c, Name: "hostile.cu", Options: []string{"--std=c++14", "-I" + allowed}, Source: source})
					var refused *nvrtc.CompileError
					if !errors.As(err, &refused) {
						return fmt.Sprint(e, err)
					}
					return caret.ReplaceAllString(strings.ReplaceAll(fmt.Sprintf("%s\n%+v", refused.Log, err), path, "PATH"), "^")
				}
				for _, name := range []string{"quotes", "angles", "macro", "asked", "asked, glued"} {
					spelling := spellings[name]
					none := ask(spelling, filepath.Join(folder, "none.h"))
					require.Contains(t, none, "hostile.cu(")
					paths := []string{secret}
					if name == "quotes" || name == "asked" {
						paths = append(paths, folder, secret+"/below", folder+"/loop", folder+"/dangling", "/proc/self/environ", "/proc/1/environ", "/etc/passwd")
					}
					for _, path := range paths {
						assert.Equal(t, none, ask(spelling, path), "%s %s", name, path)
					}
					assert.Equal(t, ask(spelling, "none.h"), ask(spelling, "secret"), "%s, in the working directory", name)
					if w.Landlock > 0 && !strings.HasPrefix(name, "asked") {
						assert.Contains(t, none, "of other files it is not told whether they exist")
					}
				}
			})
		}
	})
}
