package cache

import "maps"

// An Entry is what one compile made. It is shared by all that have it and must
// not be changed once it was put or got, neither the slices nor the maps.
//
// Safe for concurrent use after it is made; its fields must not change.
type Entry struct {
	Kind       Kind
	Arch       string            // of the image: "sm_90", "compute_80"
	Image      []byte            // the artifact
	PTX        []byte            // the PTX beside a cubin, if it is kept
	Lowered    map[string]string // export → lowered name
	Signatures map[string]string // export → what a kernel takes, where its lowered name tells: "const float *, float"
	Log        string            // of the compile: warnings
	Compiler   string            // what made it: "NVRTC 12.4"
}

// Equal reports whether two entries say the same. Nothing and what is empty
// are the same.
func (e *Entry) Equal(o *Entry) bool {
	if e == nil || o == nil {
		return e == o
	}
	return e.Kind == o.Kind && e.Arch == o.Arch && e.Log == o.Log && e.Compiler == o.Compiler &&
		string(e.Image) == string(o.Image) && string(e.PTX) == string(o.PTX) &&
		maps.Equal(e.Lowered, o.Lowered) && maps.Equal(e.Signatures, o.Signatures)
}

// bytes is about what an entry takes of memory.
func (e *Entry) bytes() int64 {
	n := 300 + cap(e.Image) + cap(e.PTX) + len(e.Arch) + len(e.Log) + len(e.Compiler)
	for _, m := range []map[string]string{e.Lowered, e.Signatures} {
		for k, v := range m {
			n += 64 + len(k) + len(v)
		}
	}
	return int64(n)
}
