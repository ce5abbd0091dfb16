package nvrtc_test

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
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

func TestSafeOptions(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in")
	for _, row := range []struct{ given, want []string }{
		{nil, nil},
		{[]string{"-arch=sm_80", " --std=c++17\t", "-DX", "-D", "Y(a, b)=a + b", "-UZ"}, []string{"--gpu-architecture=sm_80", "--std=c++17", "--define-macro=X", "--define-macro=Y(a, b)=a + b", "--undefine-macro=Z"}},
		{[]string{"-I" + in, "-I", in + "/a/../b/", "--include-path=" + in}, []string{"--include-path=" + in, "--include-path=" + filepath.Join(in, "b"), "--include-path=" + in}},
		{[]string{"-maxrregcount=0", "-maxrregcount", "255"}, []string{"--maxrregcount=0", "--maxrregcount=255"}},
		{[]string{"-Xptxas=-O3", "-Xptxas", "-v", "--ptxas-options=-maxrregcount=32"}, []string{"--ptxas-options=-O3", "--ptxas-options=-v", "--ptxas-options=-maxrregcount=32"}},
		{[]string{"-diag-suppress=177,20012", "-w", "-G", "-lineinfo", "-opt-info=inline", "-dopt", "on"}, []string{"--diag-suppress=177,20012", "--disable-warnings", "--device-debug", "--generate-line-info", "--optimization-info=inline", "--dopt=on"}},
		{[]string{"-DX=\"é\tü\""}, []string{"--define-macro=X=\"é\tü\""}},
		{[]string{"-dlto", "-optix-ir"}, []string{"--dlink-time-opt", "--optix-ir"}},
	} {
		got, err := nvrtc.SafeOptions(row.given, in)
		assert.NoError(t, err)
		assert.Equal(t, row.want, got)
		again, err := nvrtc.SafeOptions(got, in)
		assert.NoError(t, err)
		assert.Equal(t, got, again)
	}
	for _, row := range []struct {
		given  []string
		reason string
	}{
		{[]string{"-w", "--time=/tmp/x"}, `nvrtc: safe options: options[1] "--time=/tmp/x": --time is not among the options that can do no harm`},
		{[]string{"-w", "-O3"}, `nvrtc: safe options: options[1] "-O3": it is no option that is known here`},
		{[]string{"-I"}, "--include-path is not among"},
		{[]string{"-I", ""}, "the folder has no name"},
		{[]string{"-I" + folder}, "headers may not be looked for there"},
		{[]string{"-I" + in + "side"}, "headers may not be looked for there"},
		{[]string{"-I" + in + "/../x"}, "headers may not be looked for there"},
		{[]string{"-I."}, "headers may not be looked for there"},
		{[]string{"-maxrregcount=256"}, `"256" is no value of --maxrregcount`},
		{[]string{"-maxrregcount=-5"}, "no value"},
		{[]string{"-maxrregcount=99999999999999999999"}, "no value"},
		{[]string{"-maxrregcount=+5"}, "no value"},
		{[]string{"-maxrregcount="}, "no value"},
		{[]string{"-maxrregcount"}, "lacks its value"},
		{[]string{"-DX=1\n#include \"/etc/passwd\""}, "no value"},
		{[]string{"-DX=1\r"}, ""}, // a blank at the end, which NVRTC takes off
		{[]string{"-DX=1\rY"}, "no value"},
		{[]string{"-D", "X\n"}, ""},
		{[]string{"-D", "-include"}, "no value"},
		{[]string{"-D=X"}, ""},
		{[]string{"-D1X"}, "no value"},
		{[]string{"-DX\x00"}, "no value"},
		{[]string{"-U", "X Y"}, "no value"},
		{[]string{"-arch=native"}, "no value"},
		{[]string{"-Xptxas=--options-file=/etc/passwd"}, "no value"},
		{[]string{"-Xptxas=-O3,--options-file=/etc/passwd"}, "no value"},
		{[]string{"-Xptxas", "-v -o /tmp/x"}, "no value"},
		{[]string{"-Xptxas=-maxrregcount=256"}, "no value"},
		{[]string{"-diag-suppress=1,"}, "no value"},
		{[]string{"-frandom-seed=..."}, ""}, // a name, never a file's
		{[]string{"-frandom-seed=../x"}, "no value"},
	} {
		_, err := nvrtc.SafeOptions(row.given, in)
		if row.reason == "" {
			assert.NoError(t, err, "%q", row.given)
			continue
		}
		assert.ErrorContains(t, err, row.reason, "%q", row.given)
		var option *nvrtc.OptionError
		assert.True(t, errors.As(err, &option))
	}
	_, err := nvrtc.SafeOptions([]string{"-I" + in})
	assert.ErrorContains(t, err, "headers may not be looked for there")
}

// variants are ways to write an option, such that some NVRTC may take one that
// isn't in the table.
func variants(o nvrtc.OptionSpec, value string) [][]string {
	var all [][]string
	bare := strings.TrimLeft(o.Long, "-")
	short := strings.TrimLeft(o.Short, "-")
	for _, name := range []string{"-" + bare, "--" + short, "-" + short, "---" + bare, bare, short, "/" + short, strings.ToUpper(o.Long), o.Long[:len(o.Long)-1], strings.ReplaceAll(o.Long, "-", "_")} {
		for _, join := range []string{"=", " ", "", " = ", "= ", " =", ":", "\t", "==", "=\"", "='"} {
			end := strings.Trim(join, "= :\t")
			all = append(all, []string{name + join + value + end}, []string{"\v" + name + join + value + end + "\f"})
		}
		all = append(all, []string{name, value}, []string{"-D", "Q", name, value}, []string{"-w", name + " ", " " + value}, []string{"--", name, value}, []string{"@", name + "=" + value})
	}
	for _, begin := range []string{"-w ", "-w\n", "-DQ=1 ", "-DQ=1\t", "-DQ=\"1\" ", "-DQ=1,", "-DQ=1;", "-DQ(a)= ", "-UQ ", "--std=c++17 "} {
		all = append(all, []string{begin + o.Long + "=" + value}, []string{begin + o.Short + " " + value})
	}
	return append(all, []string{"-D", "Q " + o.Long + "=" + value})
}

// TestNoSpellingPasses has real NVRTCs read and write files by their options.
// SafeOptions refuses all spellings, and what it lets pass of those that are nearly
// ones reads and writes none.
func TestNoSpellingPasses(t *testing.T) {
	nvrtctest.Real(t, dlVersion(0, 0))
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("#define SECRET \"s\" \"3cret\"\n"), 0o600))
	traced := filepath.Join(folder, "traced")
	const source = "#ifdef SECRET\n#error s3cret\n#endif\n#if __has_include(\"secret\") || __has_include(<secret>)\n#error s3cret\n#endif\nextern \"C\" __global__ void k() {}"

	harm := func(t *testing.T, c *nvrtc.Compiler, options []string) bool {
		_ = os.Remove(traced)
		p, err := c.NewProgram(source, nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		defer p.Close()
		_ = p.Compile(context.Background(), options...)
		_, err = os.Stat(traced)
		return err == nil || strings.Contains(p.Log(), "s3cret") || strings.Contains(p.Log(), "SECRET")
	}
	specs := map[string]string{"--pre-include": secret, "--include-path": folder, "--time": traced, "--fdevice-time-trace": traced, "--ptxas-options": "--options-file=" + secret}
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			harmed, passed := map[string]int{}, map[string]bool{}
			for _, spec := range nvrtc.OptionSpecs() {
				value, dangerous := specs[spec.Long]
				if !dangerous {
					continue
				}
				for _, options := range spellings(spec, value) {
					if spec.Long == "--ptxas-options" {
						options = append([]string{"-arch=sm_75"}, options...)
					}
					if harm(t, c, options) {
						harmed[spec.Long]++
					}
					_, err := nvrtc.SafeOptions(options)
					assert.Error(t, err, "%q", options)
				}
				for _, options := range variants(spec, value) {
					safe, err := nvrtc.SafeOptions(options)
					if key := fmt.Sprintf("%q", safe); err == nil && !passed[key] {
						passed[key] = true
						assert.False(t, harm(t, c, safe), "%q, spelled %q", options, safe)
					}
				}
			}
			t.Logf("spellings that do harm: %v; harmless ones: %d", harmed, len(passed))
			assert.Greater(t, harmed["--pre-include"], 5)
			assert.Greater(t, harmed["--include-path"], 5)
			if c.Version().AtLeast(11, 3) {
				assert.Positive(t, harmed["--ptxas-options"])
			}
		})
	}
}

// TestNVRTCTakesSafeOptions has each option of the list mean to NVRTC what it
// meant as it was given.
func TestNVRTCTakesSafeOptions(t *testing.T) {
	c := nvrtctest.Real(t, dlVersion(0, 0))
	number := regexp.MustCompile(`callseq \d+`) // of the process
	for _, spec := range nvrtc.OptionSpecs() {
		if spec.Long == "--dlink-time-opt" || spec.Long == "--optix-ir" {
			continue // they make no PTX to compare
		}
		for _, value := range []string{"compute_80", "c++17", "X=3", "X", "32", "true", "on", "0", "inline", "-O1"} {
			all := spellings(spec, value)
			options := append([]string{"-w"}, all[len(all)-1]...)
			safe, err := nvrtc.SafeOptions(options)
			if err != nil {
				continue
			}
			made := number.ReplaceAllString(madeBy(t, c, options), "")
			assert.Equal(t, made, number.ReplaceAllString(madeBy(t, c, safe), ""), "%q and %q", options, safe)
			break
		}
	}
}

// FuzzSafeOptions holds what is let pass against a plain look at it.
func FuzzSafeOptions(f *testing.F) {
	f.Add("-arch=sm_70", "-D", "X=1", "-I/allowed/x")
	f.Add(" --pre-include=/etc/passwd", "-include", "/etc/passwd", "-I/allowed/../x")
	f.Add("--time=/x", "-Xptxas", "--options-file=/x", "-DX=1\n#include </x>")
	f.Add("-D", "X", "-Xptxas=-maxrregcount=3", "-diag-suppress=1,2")
	allowed, err := filepath.Abs("/allowed")
	require.NoError(f, err)
	element := regexp.MustCompile(`^--[a-zA-Z0-9_-]+(=[^\x00\n\v\f\r]*)?$`)
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		safe, err := nvrtc.SafeOptions([]string{a, b, c, d}, "/allowed")
		if err != nil {
			return
		}
		for _, o := range safe {
			if !element.MatchString(o) {
				t.Fatalf("%q", o)
			}
			name, value, _ := strings.Cut(o, "=")
			for _, bad := range []string{"--pre-include", "--time", "--fdevice-time-trace", "--create-pch", "--use-pch", "--pch", "--pch-dir", "--split-compile"} {
				if name == bad {
					t.Fatalf("%q", o)
				}
			}
			switch name {
			case "--define-macro": // its value is text of the program
			case "--include-path":
				if value != allowed && !strings.HasPrefix(value, allowed+string(filepath.Separator)) || strings.Contains(filepath.ToSlash(value)+"/", "/../") {
					t.Fatalf("%q", o)
				}
			default:
				if strings.ContainsAny(value, "/\\ \t\"'") || strings.Contains(value, "file") {
					t.Fatalf("%q", o)
				}
			}
		}
		if again, err := nvrtc.SafeOptions(safe, "/allowed"); err != nil || fmt.Sprint(again) != fmt.Sprint(safe) {
			t.Fatalf("%q, then %q, %v", safe, again, err)
		}
	})
}
