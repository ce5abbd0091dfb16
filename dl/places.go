package dl

import (
	"slices"
	"strings"
)

// places lists where s is looked for on m, in order. A given path is the only
// place: who names a file must not silently get another.
func (s Spec) places(m *machine, given string) []place {
	if given != "" {
		return []place{{source: ByPath, path: given}}
	}
	var out []place
	if p := m.getenv(s.variable); s.variable != "" && p != "" {
		out = append(out, place{source: ByVariable, path: p, from: s.variable})
	}
	for _, p := range m.loaded(s) {
		out = append(out, place{source: ByProcess, kind: file, path: p})
	}
	if s.naming(m.goos).stem == "" {
		return out
	}
	if !s.driver {
		out = append(out, s.pythonPlaces(m)...)
		out = append(out, toolkitPlaces(m)...)
	}
	out = append(out, s.systemPlaces(m)...)
	return append(out, s.folderPlaces(m)...)
}

// naming is how a platform names the files; the zero naming where CUDA does not
// exist.
func (s Spec) naming(goos string) naming {
	switch goos {
	case "linux":
		return s.linux
	case "windows":
		return s.windows
	}
	return naming{}
}

// pythonPlaces are the active environments: NVIDIA's wheels lie in
// site-packages, conda's packages below the prefix.
func (s Spec) pythonPlaces(m *machine) []place {
	var out []place
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		prefix := m.getenv(variable)
		if prefix == "" {
			continue
		}
		var below []string
		if m.goos == "windows" {
			for _, w := range s.wheelsW {
				below = append(below, `Lib\site-packages\`+w)
			}
			if variable == "CONDA_PREFIX" {
				below = append(below, `Library\bin`, `Library\bin\x64`)
			}
		} else {
			for _, w := range s.wheels {
				below = append(below, "lib/python3*/site-packages/"+w)
			}
			if variable == "CONDA_PREFIX" {
				below = append(below, "lib")
				below = append(below, targets(m)...)
			}
		}
		for _, b := range below {
			out = append(out, place{source: ByPython, kind: folder, path: m.join(prefix, b), from: variable})
		}
	}
	return out
}

// toolkitPlaces are the folders of the toolkit that the environment names.
func toolkitPlaces(m *machine) []place {
	variables := []string{"CUDA_PATH", "CUDA_HOME"}
	if m.goos == "windows" {
		// Each toolkit's installer sets one of its own: CUDA_PATH_V12_4.
		var more []string
		for _, line := range m.environ() {
			name, _, _ := strings.Cut(line, "=")
			if strings.HasPrefix(strings.ToUpper(name), "CUDA_PATH_V") {
				more = append(more, name)
			}
		}
		slices.Sort(more)
		variables = append(variables, more...)
	}
	var out []place
	for _, variable := range variables {
		root := m.getenv(variable)
		if root == "" {
			continue
		}
		for _, below := range toolkitFolders(m) {
			out = append(out, place{source: ByToolkit, kind: folder, path: m.join(root, below), from: variable})
		}
	}
	return out
}

// toolkitFolders are where a toolkit's shared libraries lie below its root.
func toolkitFolders(m *machine) []string {
	if m.goos == "windows" {
		return []string{`bin`, `bin\x64`}
	}
	return append([]string{"lib64", "lib"}, targets(m)...)
}

// targets are the folders that toolkits for several processors have.
func targets(m *machine) []string {
	if m.goarch == "arm64" {
		return []string{"targets/sbsa-linux/lib", "targets/aarch64-linux/lib"}
	}
	return []string{"targets/x86_64-linux/lib"}
}

// systemPlaces are where the system's loader looks. Its folders are read here,
// so that a file's header can be checked before the loader maps it; what they
// don't show is asked for by name.
func (s Spec) systemPlaces(m *machine) []place {
	var out []place
	path := "LD_LIBRARY_PATH"
	if m.goos == "windows" {
		path = "PATH"
	}
	folders := m.list(path)
	if s.driver && m.goos == "windows" { // it lies there and nowhere else: what bears its name beside a program is not it
		path, folders = "SystemRoot", nil
		if root := m.getenv(path); root != "" {
			folders = []string{m.join(root, "System32")}
		}
	}
	for _, f := range folders {
		out = append(out, place{source: BySystem, kind: folder, path: f, from: path})
	}
	if m.goos == "linux" {
		cache, _ := m.readFile("/etc/ld.so.cache") // not every C library has one
		for _, f := range cachedFiles(cache) {
			if _, ok := versionOf(m.goos, s.linux.stem, m.base(f)); ok {
				out = append(out, place{source: BySystem, kind: file, path: f, from: "ld.so.cache"})
			}
		}
	}
	for _, name := range s.naming(m.goos).names() {
		out = append(out, place{source: BySystem, kind: bareName, path: name})
	}
	return out
}

// folderPlaces are the folders that installers use.
func (s Spec) folderPlaces(m *machine) []place {
	var paths []string
	add := func(p ...string) { paths = append(paths, p...) }
	switch {
	case m.goos == "windows" && s.driver:
	case m.goos == "windows":
		if root := m.getenv("ProgramFiles"); root != "" {
			for _, below := range toolkitFolders(m) {
				add(m.join(root, `NVIDIA GPU Computing Toolkit\CUDA\v*`, below))
			}
		}
	default:
		triplet := "x86_64-linux-gnu"
		if m.goarch == "arm64" {
			triplet = "aarch64-linux-gnu"
		}
		if s.driver {
			// WSL's first: there a distribution's own libcuda finds no device.
			add("/usr/lib/wsl/lib", "/usr/lib/"+triplet, "/usr/lib/"+triplet+"/nvidia/current",
				"/usr/lib/"+triplet+"/nvidia", "/usr/lib/"+triplet+"/tegra", "/usr/lib64", "/usr/lib",
				"/usr/local/nvidia/lib64", "/run/opengl-driver/lib")
			break
		}
		for _, root := range []string{"/usr/local/cuda*", "/opt/cuda", "/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*"} {
			for _, below := range toolkitFolders(m) {
				add(root + "/" + below)
			}
		}
		add("/usr/lib/"+triplet, "/usr/lib64", "/usr/lib", "/usr/lib/nvidia-cuda-toolkit/lib64", "/usr/lib/wsl/lib")
		// The machine's own Python and the user's, active or not.
		for _, root := range []string{"/usr/local/lib/python3*/dist-packages", "/usr/local/lib/python3*/site-packages",
			"/usr/lib/python3*/site-packages", m.getenv("HOME") + "/.local/lib/python3*/site-packages"} {
			for _, w := range s.wheels {
				add(root + "/" + w)
			}
		}
	}
	var out []place
	for _, p := range paths {
		out = append(out, place{source: ByFolder, kind: folder, path: p})
	}
	return out
}
