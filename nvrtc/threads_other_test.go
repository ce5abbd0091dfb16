//go:build !(linux && (amd64 || arm64))

package nvrtc

import (
	"testing"

	"github.com/purecuda/purecuda/dl"
)

func resolversHere(*testing.T) map[string]dl.Resolver {
	return map[string]dl.Resolver{"Go": goDouble{}}
}
