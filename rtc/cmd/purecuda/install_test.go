package main

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInstall has go install the command as anybody would, from a proxy that has
// a release of the three modules: it refuses modules that replace others, so that
// a release's go.mod, unlike that of the tree, replaces none. It ends before what
// takes minutes, compiling all of it (-n); PURECUDA_INSTALL=1 does that, too.
func TestInstall(t *testing.T) {
	const version = "v0.0.1-released"
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	proxy := t.TempDir()
	nested := []string{"rtc/cache/rediscache", "rtc/cmd/purecuda"}
	release(t, proxy, root, version, nested...)
	for _, folder := range nested {
		release(t, proxy, filepath.Join(root, folder), version)
	}

	env := goEnv(t)
	all := os.Getenv("PURECUDA_INSTALL") != ""
	install := exec.Command("go", "install", "-trimpath", "-n="+strconv.FormatBool(!all), "github.com/purecuda/purecuda/rtc/cmd/purecuda@"+version)
	install.Dir = t.TempDir()
	install.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-modcacherw", "GOWORK=off", "GONOSUMDB=*", "GONOSUMCHECK=1", "GOSUMDB=off", "GONOPROXY=none", "GOPRIVATE=",
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(env["GOMODCACHE"])+"/cache/download",
		"GOMODCACHE="+t.TempDir(), "GOBIN="+t.TempDir())
	said, err := install.CombinedOutput()
	require.NoError(t, err, "%s", said)
	if !all {
		assert.Contains(t, string(said), "packagefile github.com/purecuda/purecuda/rtc/cache/rediscache=")
		assert.Regexp(t, `/link(\.exe)?"? -o `, string(said))
		return
	}
	bin := strings.TrimPrefix(install.Env[len(install.Env)-1], "GOBIN=")
	said, _ = exec.Command(filepath.Join(bin, filepath.Base(binary)), "doctor").Output()
	assert.True(t, strings.HasPrefix(string(said), "purecuda   "+version+", "), "%s", said)
}

// release puts a module's version into a proxy's folder: the sources, and a
// go.mod that requires that version of the others.
func release(t *testing.T, proxy, folder, version string, but ...string) {
	t.Helper()
	work := t.TempDir()
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(work, "go.mod"), text, 0o600))
	edit := []string{"mod", "edit"}
	for _, other := range []string{"github.com/purecuda/purecuda", "github.com/purecuda/purecuda/rtc/cache/rediscache"} {
		if strings.Contains(string(text), other+" v") {
			edit = append(edit, "-dropreplace="+other, "-require="+other+"@"+version)
		}
	}
	if len(edit) > 2 {
		c := exec.Command("go", edit...)
		c.Dir = work
		said, err := c.CombinedOutput()
		require.NoError(t, err, "%s", said)
	}
	text, err = os.ReadFile(filepath.Join(work, "go.mod"))
	require.NoError(t, err)
	_, line, _ := strings.Cut(string(text), "module ")
	module, _, _ := strings.Cut(line, "\n")

	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	require.NoError(t, os.MkdirAll(at, 0o700))
	info, err := json.Marshal(map[string]string{"Version": version, "Time": "2026-01-01T00:00:00Z"})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(at, version+".info"), info, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(at, version+".mod"), text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(at, "list"), []byte(version+"\n"), 0o600))
	packed, err := os.Create(filepath.Join(at, version+".zip"))
	require.NoError(t, err)
	defer packed.Close()
	z := zip.NewWriter(packed)
	add := func(name string, content []byte) {
		w, err := z.Create(module + "@" + version + "/" + name)
		require.NoError(t, err)
		_, err = w.Write(content)
		require.NoError(t, err)
	}
	add("go.mod", text)
	tree := os.DirFS(folder)
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			for _, other := range but {
				if name == other {
					return fs.SkipDir
				}
			}
			if name != "." && strings.HasPrefix(base, ".") || base == "testdata" || name == "ci" {
				return fs.SkipDir
			}
			return nil
		}
		if ext := path.Ext(base); entry.Type().IsRegular() && (ext == ".go" && !strings.HasSuffix(base, "_test.go") || ext == ".s") {
			content, err := fs.ReadFile(tree, name)
			if err != nil {
				return err
			}
			add(name, content)
		}
		return nil
	}))
	require.NoError(t, z.Close())
}

// goEnv is go's own environment.
func goEnv(t *testing.T) (env map[string]string) {
	text, err := exec.Command("go", "env", "-json").Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &env))
	return env
}
