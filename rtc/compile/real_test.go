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
	keySees(t, 0, func(*rand.Rand) string { return "" })
}

// TestKeySeesComputedIncludes is the same with headers that include by macros.
func TestKeySeesComputedIncludes(t *testing.T) {
	keySees(t, 1, func(rng *rand.Rand) string {
		pick := func(list ...string) string { return list[rng.IntN(len(list))] }
		var s strings.Builder
		for range rng.IntN(3) {
			macro := pick("M", "M", "ROOT", "NAME", "QUOTED")
			value := map[string]string{
				"M":      pick("<ROOT/NAME.h>", "<NAME.h>", `"a.h"`, "QUOTED", "<sub/NAME.h>", "<a.h> // as it is", `"NAME.h"`),
				"ROOT":   pick("sub", ".", "../one", "NAME"),
				"NAME":   pick("a", "b", "c"),
				"QUOTED": pick(`"b.h"`, "<b.h>", "<NAME.h>", `"./c.h"`),
			}[macro]
			fmt.Fprintf(&s, "#undef %s\n#define %s %s\n", macro, macro, value)
		}
		return s.String() + pick("#include M\n", "#include QUOTED\n", "#include M\n", "")
	})
}

// keySees has more directives written into the headers on disk. With rare 1 few
// files are absent, since a computed include of none is an error, and headers include
// by those directives alone.
func keySees(t *testing.T, rare int, more func(*rand.Rand) string) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	seeds, total := uint64(6+3*rare), 0
	if racing { // one goroutine does it all
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			t.Chdir(t.TempDir())
			folders := []string{".", "src", "one", "two", "two/sub", "one/sub"}[:5+rare]
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
				s := fmt.Sprintf("#if __INCLUDE_LEVEL__ < 5\nN(%d)\n", rng.IntN(1000)) + more(rng)
				for range (1 - rare) * (1 + rng.IntN(3)) {
					s += directive() + "\n"
				}
				return s + "#endif\n"
			}
			place := func() string { return filepath.Join(pick(folders...), pick("a.h", "b.h", "c.h")) }
			for range 12 + 50*rare {
				require.NoError(t, os.WriteFile(place(), []byte(text()), 0o600))
			}
			r := Request{
				Compiler: c, Name: pick("k.cu", "src/k.cu"), Options: []string{"-Ione", "-Itwo", "-arch=compute_80"},
				Headers: map[string]string{"d.h": "N(1)\n" + directive()},
				// Each N is an instruction that is in the PTX.
				Source: "#define M <a.h>\n#define ROOT sub\n#define NAME a\n#define QUOTED \"b.h\"\n#define N(x) asm volatile(\"// found \" #x);\nextern \"C\" __global__ void k() {\n" + directive() + "\n" + directive() + "\n" + directive() + "\n}\n",
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
				if p := place(); rng.IntN(3+10*rare) == 0 {
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
	if !racing {
		assert.Greater(t, total, 30, "changes that tell something")
	}
}
