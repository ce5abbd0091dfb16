package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersion(t *testing.T) {
	d := bareDesk(t)
	assert.Regexp(t, `^purecuda \S+, go\S+, `+runtime.GOOS+`/`+runtime.GOARCH+`\n$`, d.good("version").out)
	assert.Equal(t, 2, d.run("version", "x").code)
}

// What the command line and the environment have is said in their words.
func TestSaysWhatIsWanted(t *testing.T) {
	d := bareDesk(t)
	r := d.run("compile", "-timeout", "5", "scale.cu")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "as in 500ms, 5s, 2m")
	d.env["PURECUDA_DEVICE"] = "foo"
	r = d.run("doctor")
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.out, `PURECUDA_DEVICE is "foo", which rtc.OpenAny refuses`)
	d.env["PURECUDA_DEVICE"] = "cuda:0"
	assert.NotContains(t, d.run("doctor").out, "which rtc.OpenAny refuses")
}
