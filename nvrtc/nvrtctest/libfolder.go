package nvrtctest

import "runtime"

// libFolder is what Debian calls this machine's folder for libraries.
var libFolder = map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
