package nvrtc_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

var update = flag.Bool("update", false, "write testdata/logs from the NVRTCs that are here")

const axpyC = `extern "C" __global__ void k(float *x) { x[0] = 1; }`

// Each of these makes NVRTC say something. The logs of real ones are in
// testdata/logs, a file for each version.
var talkative = []struct {
	name    string
	source  string
	exports []string
	options []string
}{
	{name: "warnings", source: "extern \"C\" __global__ void k(float *x) {\n  int unused;\n  unsigned u = -1;\n  if (u < 0) x[1] = 2;\n}\n"},
	{name: "errors", source: "extern \"C\" __global__ void k(float *x) {\n  x[0] = y;\n\tfoo(x);\n  return 3 }\n}\n", options: []string{"-std=c++17"}},
	{name: "stdint", source: "#include <stdint.h>\n" + axpyC},
	{name: "cascade", source: "__global__ void k(uint32_t *x, int n) {}\n"},
	{name: "fp16", source: "#include <cuda_fp16.h>\n" + axpyC},
	{name: "host", source: "int f() { return 1; }\nint v = 1;\n" + axpyC},
	{name: "vector", source: "__device__ void f() { std::vector<int> v; }\n" + axpyC, options: []string{"-std=c++11"}},
	{name: "dialect", source: "__global__ void k(float *x) { auto f = [](float a) { return a; }; x[0] = f(1); constexpr int z = 1; }", options: []string{}},
	{name: "template", source: "template <class T> __device__ int g(T t) { return t.size(); }\n__global__ void k(int *x) { x[0] = g(3); }\n", options: []string{"-std=c++17"}},
	{name: "at end", source: "__global__ void k(int *x) { x[0] = \n"},
	{name: "line", source: "#line 7 \"my file (3).cu\"\nint x = ;\n"},
	{name: "directive", source: "#error this is wrong\n" + axpyC},
	{name: "exports", source: "template <class T> __global__ void one(T *x) {}\n__device__ int cc;\n__global__ void over(int *);\n__global__ void over(float *x) {}\n", exports: []string{"one<int>", "nope<int>", "one", "cc", "one<float>;", "over", ""}, options: []string{"-std=c++17"}},
	{name: "bad arch", source: axpyC, options: []string{"-DX=1", "-arch", "sm_33"}},
	{name: "nvcc option", source: axpyC, options: []string{"-arch=compute_80", "-O3"}},
	{name: "blank in option", source: axpyC, options: []string{"-arch compute_80"}},
	{name: "option twice", source: axpyC, options: []string{"-arch=compute_80", "-std=c++11", "--gpu-architecture=compute_80"}},
	{name: "option value", source: axpyC, options: []string{"-fmad", "maybe"}},
	{name: "macro", source: axpyC, options: []string{"-D"}},
	{name: "assembler", source: "extern \"C\" __global__ void k(float *x) { asm(\"bogus.f32 %0;\" ::\"f\"(x[0])); }", options: []string{"-arch=sm_80"}},
	{name: "shared memory", source: "extern \"C\" __global__ void k(float *x) { __shared__ float s[100000]; s[threadIdx.x] = x[0]; x[1] = s[x[0] > 0]; }", options: []string{"-arch=sm_80"}},
	{name: "extern function", source: "extern __device__ int f();\nextern \"C\" __global__ void k(int *x) { *x = f(); }", options: []string{"-arch=sm_80"}},
	{name: "bytes", source: "#error caf\xe9\n"},
}

func compileLog(t *testing.T, c *nvrtc.Compiler, i int) (string, error) {
	row := talkative[i]
	p, err := c.NewProgram(row.source, nvrtc.ProgramConfig{Name: "k.cu", Exports: row.exports})
	require.NoError(t, err)
	defer p.Close()
	err = p.Compile(context.Background(), row.options...)
	return p.Log(), err
}

const sectionMark = "==== "

// readLogs gives the recorded logs by version and name.
func readLogs(t testing.TB) map[string]map[string]string {
	files, err := os.ReadDir("testdata/logs")
	require.NoError(t, err)
	all := map[string]map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile("testdata/logs/" + f.Name())
		require.NoError(t, err)
		logs := map[string]string{}
		for section := range strings.SplitSeq(string(text), sectionMark) {
			if name, log, ok := strings.Cut(section, "\n"); ok {
				logs[name] = log
			}
		}
		all[strings.TrimSuffix(f.Name(), ".txt")] = logs
	}
	return all
}

// TestLogsAreAsRecorded holds the recorded logs against the NVRTCs that are here.
func TestLogsAreAsRecorded(t *testing.T) {
	nvrtctest.Real(t, dlVersion(0, 0))
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			var b strings.Builder
			logs := map[string]string{}
			for i, row := range talkative {
				log, _ := compileLog(t, c, i)
				logs[row.name] = log
				b.WriteString(sectionMark + row.name + "\n" + log)
			}
			file := "testdata/logs/" + c.Version().String() + ".txt"
			if *update {
				require.NoError(t, os.MkdirAll("testdata/logs", 0o755))
				require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			}
			want, ok := readLogs(t)[c.Version().String()]
			if !ok {
				t.Skip("no log of this version is recorded")
			}
			for _, row := range talkative {
				assert.Equal(t, want[row.name], logs[row.name], row.name)
			}
		})
	}
}

// messageStart finds what looks like a message with eyes of its own.
var messageStart = regexp.MustCompile(`(?m)^(\S.*\(\d+\): |At end of source: |Command-line |nvrtc: |ptxas .*)((catastrophic )?error|warning|note|fatal|info)\b`)

func TestEveryRecordedMessageIsFound(t *testing.T) {
	for version, logs := range readLogs(t) {
		for name, log := range logs {
			got := nvrtc.ParseLog(log)
			assert.Len(t, got, len(messageStart.FindAllString(log, -1)), "%s of %s:\n%s", name, version, log)
			for _, d := range got {
				assert.Contains(t, log, d.Text)
				assert.NotEmpty(t, d.Text)
				for _, line := range d.Detail {
					assert.Contains(t, log, line)
				}
			}
		}
	}
}

func TestRecordedMessages(t *testing.T) {
	type want struct {
		version, name string
		at            int
		d             nvrtc.Diagnostic
	}
	for _, w := range []want{
		{"11.2", "warnings", 0, nvrtc.Diagnostic{File: "k.cu", Line: 3, Severity: nvrtc.Warning, Text: "integer conversion resulted in a change of sign"}},
		{"11.8", "warnings", 0, nvrtc.Diagnostic{File: "k.cu", Line: 3, Severity: nvrtc.Warning, Number: 68, Text: "integer conversion resulted in a change of sign"}},
		{"12.4", "warnings", 0, nvrtc.Diagnostic{File: "k.cu", Line: 3, Column: 16, Severity: nvrtc.Warning, Number: 68, Text: "integer conversion resulted in a change of sign",
			Detail: []string{"    unsigned u = -1;", "                 ^"}}},
		{"12.4", "errors", 1, nvrtc.Diagnostic{File: "k.cu", Line: 3, Column: 2, Severity: nvrtc.Error, Text: `identifier "foo" is undefined`, Detail: []string{"  \tfoo(x);", "  \t^"}}},
		{"11.8", "stdint", 0, nvrtc.Diagnostic{File: "k.cu", Line: 1, Severity: nvrtc.Fatal, Text: `could not open source file "stdint.h" (no directories in search list)`}},
		{"11.8", "template", 0, nvrtc.Diagnostic{File: "k.cu", Line: 1, Severity: nvrtc.Error, Text: `expression must have class type but it has type "int"`,
			Detail: []string{`          detected during instantiation of "int g(T) [with T=int]" `, "(2): here"}}},
		{"11.8", "at end", 0, nvrtc.Diagnostic{AtEnd: true, Severity: nvrtc.Error, Text: "expected an expression"}},
		{"11.8", "at end", 3, nvrtc.Diagnostic{File: "k.cu", Line: 1, Severity: nvrtc.Note, Number: 3196, Text: `to match this "{"`}},
		{"12.4", "line", 1, nvrtc.Diagnostic{File: "my file (3).cu", Line: 7, Column: 9, Severity: nvrtc.Error, Text: "expected an expression", Detail: []string{"  int x = ;", "          ^"}}},
		{"11.2", "bad arch", 0, nvrtc.Diagnostic{Tool: "nvrtc", Severity: nvrtc.Error, Text: "invalid value for --gpu-architecture (-arch)"}},
		{"11.8", "macro", 0, nvrtc.Diagnostic{Severity: nvrtc.Error, Text: "invalid macro definition: "}},
		{"12.4", "assembler", 0, nvrtc.Diagnostic{Tool: "ptxas", File: "application ptx input", Line: 27, Severity: nvrtc.Error, Text: "Not a name of any known instruction: 'bogus'"}},
		{"12.4", "assembler", 1, nvrtc.Diagnostic{Tool: "ptxas", Severity: nvrtc.Fatal, Text: "Ptx assembly aborted due to errors"}},
		{"12.4", "bytes", 0, nvrtc.Diagnostic{File: "k.cu", Line: 1, Column: 2, Severity: nvrtc.Fatal, Text: "#error directive: caf\xe9", Detail: []string{"  #error caf\xe9", "   ^"}}},
	} {
		log, ok := readLogs(t)[w.version][w.name]
		require.True(t, ok, "%s of %s", w.name, w.version)
		got := nvrtc.ParseLog(log)
		require.Greater(t, len(got), w.at, log)
		assert.Equal(t, w.d, got[w.at], "%s of %s", w.name, w.version)
	}
}

func FuzzLog(f *testing.F) {
	for _, logs := range readLogs(f) {
		for _, log := range logs {
			f.Add(log)
		}
	}
	f.Add("k.cu(99999999999999999999): error #99999999999999999999-D: x\r\n^\n")
	f.Fuzz(func(t *testing.T, log string) {
		got := nvrtc.ParseLog(log)
		if len(got) > 1+strings.Count(log, "\n") {
			t.Fatalf("%d messages in %d lines", len(got), 1+strings.Count(log, "\n"))
		}
		lines := strings.Split(strings.ReplaceAll(log, "\r", ""), "\n")
		for _, d := range got {
			if d.Line < 0 || d.Column < 0 || d.Number < 0 || !strings.Contains(log, d.Text) || d.Severity > nvrtc.Fatal {
				t.Fatalf("%+v", d)
			}
			for _, detail := range d.Detail {
				if !slices.Contains(lines, strings.ReplaceAll(detail, "\r", "")) {
					t.Fatalf("%q is no line", detail)
				}
			}
			if strings.Contains(d.String(), "\n") {
				t.Fatalf("%q is no line", d.String())
			}
		}
		// A message is found wherever it stands.
		if again := nvrtc.ParseLog("\n" + log); fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%v, and after an empty line %v", got, again)
		}
	})
}
