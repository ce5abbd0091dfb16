package cache

import "fmt"

// A Kind says what an entry's Image is. The numbers are stored: they never
// change.
type Kind uint8

// The kinds of images. A Manifest is no artifact but what a source includes:
// the first of two steps to a key.
const (
	PTX      Kind = 1
	CUBIN    Kind = 2
	LTOIR    Kind = 3
	OptiXIR  Kind = 4
	Fatbin   Kind = 5
	Manifest Kind = 6
)

var kindNames = [...]string{PTX: "PTX", CUBIN: "CUBIN", LTOIR: "LTO-IR", OptiXIR: "OptiX-IR", Fatbin: "fatbin", Manifest: "manifest"}

// String is the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}
