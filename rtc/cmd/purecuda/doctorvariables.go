package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A variable of the environment that is set and has a say.
type variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Means string `json:"means,omitempty"`
}

// ours are those that purecuda reads, and theirs those of NVIDIA's libraries and
// of the system.
var (
	ours = []variable{
		{Name: "PURECUDA_NVRTC", Means: "the NVRTC to use"},
		{Name: "PURECUDA_CUDA", Means: "the driver to use"},
		{Name: "PURECUDA_NVJITLINK", Means: "the nvJitLink to use"},
		{Name: "PURECUDA_CACHE", Means: "the cache's folder, or off"},
		{Name: "PURECUDA_DEVICE", Means: "what rtc.OpenAny opens"},
	}
	theirs = []variable{
		{Name: "NVRTC_APPEND_FLAGS", Means: "options that NVRTC appends to all others, if its version does; part of the cache's key"},
		{Name: "CUDA_PATH", Means: "a toolkit to search"},
		{Name: "CUDA_HOME", Means: "a toolkit to search"},
		{Name: "VIRTUAL_ENV", Means: "a Python environment to search"},
		{Name: "CONDA_PREFIX", Means: "a Python environment to search"},
		{Name: "LD_LIBRARY_PATH", Means: "folders that the system's loader searches first"},
		{Name: "XDG_CACHE_HOME", Means: "the user's cache folder"},
		{Name: "CUDA_VISIBLE_DEVICES", Means: "which devices there are, and in which order"},
		{Name: "CUDA_DEVICE_ORDER"},
		{Name: "CUDA_MODULE_LOADING"},
		{Name: "CUDA_LAUNCH_BLOCKING", Means: "1: every launch waits"},
		{Name: "CUDA_FORCE_PTX_JIT", Means: "1: the driver compiles PTX though there is machine code"},
		{Name: "CUDA_DISABLE_PTX_JIT", Means: "1: the driver compiles no PTX"},
		{Name: "CUDA_CACHE_DISABLE", Means: "1: the driver does not keep what it compiled from PTX"},
		{Name: "CUDA_CACHE_PATH", Means: "where the driver keeps what it compiled from PTX"},
		{Name: "GOMAXPROCS", Means: "how many compiles run at once"},
	}
)

// lookAtVariables takes down those that are set, and finds slips in the names of
// ours.
func (d *diagnosis) lookAtVariables(environment []string) {
	set := map[string]string{}
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		set[name] = value
	}
	d.Variables = []variable{}
	if device := set["PURECUDA_DEVICE"]; device != "" && device != "sim" {
		number, ok := strings.CutPrefix(device, "cuda:")
		if n, err := strconv.Atoi(number); !ok || err != nil || n < 0 {
			d.problem(`PURECUDA_DEVICE is %q, which rtc.OpenAny refuses: "cuda:0", with the number of a CUDA device, or "sim"`, device)
		}
	}
	var known []string
	for _, v := range slices.Concat(ours, theirs) {
		if value, is := set[v.Name]; is && (value != "" || v.Name == "CUDA_VISIBLE_DEVICES") { // an empty list hides all
			d.Variables = append(d.Variables, variable{v.Name, redact(value), v.Means})
		}
	}
	for _, v := range ours {
		known = append(known, v.Name)
	}
	for _, entry := range slices.Sorted(slices.Values(environment)) {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PURECUDA_") && !slices.Contains(known, name) {
			if near := didYouMean(name, known); near != "" {
				d.note("nothing reads the variable %s%s", name, near)
			}
		}
	}
}

// secret is what stands for a user and a password in a URL.
var secret = regexp.MustCompile(`://[^/\s@]*@|([?&][\w-]*password=)[^&\s]*`)

// redact takes passwords out of a text that may have a URL.
func redact(text string) string {
	return secret.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "://") {
			return "://***@"
		}
		name, _, _ := strings.Cut(found, "=")
		return name + "=***"
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}
