package compile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc/nvrtctest"

	"github.com/purecuda/purecuda/dl"
)

// TestKeySeesWhatNVRTCReads makes folders of headers that include each other at
// random, changes one file at a time, and holds the key to what the real NVRTC
// makes: where that differs, the key must.
func TestKeySeesWhatNVRTCReads(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	total := 0
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			t.Chdir(t.TempDir())
			folders := []string{".", "src", "one", "two", "two/sub"}
			for _, f := range folders {
				require.NoError(t, os.MkdirAll(f, 0o700))
			}
			pick := func(list ...string) string { return list[rng.IntN(len(list))] }
			header := func() string { return pick("a.h", "b.h", "c.h", "a.h", "b.h", "d.h", "sub/a.h", "../one/b.h") }
			directive := func() string {
				h := pick(`"`, `<`) + header()
				if h[0] == '<' {
					h += ">"
				} else {
					h += `"`
				}
				how := pick("#include ", "#in\\\nclude ", "%: /**/ include /**/", "#include ", "#include ", "#include_next ")
				if rng.IntN(6) == 0 {
					return "#if __has_include(" + h + ")\nN(has)\n#endif"
				}
				return "#if __has_include(" + h + ")\n" + how + h + "\n#endif"
			}
			text := func() string {
				// Each file is counted, and none goes on for ever.
				s := fmt.Sprintf("#if __INCLUDE_LEVEL__ < 5\nN(%d)\n", rng.IntN(1000))
				for range 1 + rng.IntN(3) {
					s += directive() + "\n"
				}
				return s + "#endif\n"
			}
			place := func() string { return filepath.Join(pick(folders...), pick("a.h", "b.h", "c.h")) }
			for range 12 {
				require.NoError(t, os.WriteFile(place(), []byte(text()), 0o600))
			}
			r := Request{
				Compiler: c, Name: pick("k.cu", "src/k.cu"), Options: []string{"-Ione", "-Itwo", "-arch=compute_80"},
				Headers: map[string]string{"d.h": text()},
				// Each N is an instruction that is in the PTX.
				Source: "#define N(x) asm volatile(\"// found \" #x);\nextern \"C\" __global__ void k() {\n" + directive() + "\n" + directive() + "\n" + directive() + "\n}\n",
			}
			if rng.IntN(3) == 0 {
				r.Options = append(r.Options, "--no-source-include")
			}
			made := func() (string, string) {
				key, unseen, err := keyOf(context.Background(), machineFiles, &r, nil)
				require.NoError(t, err)
				require.Empty(t, unseen)
				e, err := InProcess{}.Run(context.Background(), &r)
				if err != nil {
					return key.String(), "refused"
				}
				return key.String(), strings.Join(regexp.MustCompile(`// found .*`).FindAllString(string(e.Image), -1), "\n")
			}
			key, was := made()
			changes, compiled, keys := 0, 0, 0
			for range 25 {
				if p := place(); rng.IntN(3) == 0 {
					_ = os.Remove(p)
				} else {
					require.NoError(t, os.WriteFile(p, []byte(text()), 0o600))
				}
				newKey, now := made()
				if now != was {
					changes++
					assert.NotEqual(t, key, newKey, "NVRTC made\n%s\nand then\n%s", was, now)
				}
				if now != "refused" {
					compiled++
				}
				if newKey != key {
					keys++
				}
				key, was = newKey, now
			}
			t.Logf("%d of 25 changes changed what NVRTC made, %d changed the key; %d were compiled", changes, keys, compiled)
			total += changes
		})
	}
	assert.Greater(t, total, 30, "changes that tell something")
}
