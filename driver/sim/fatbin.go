package sim

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/driver"
)

const (
	fatbinMagic = 0xBA55ED50

	fatbinKindPTX = 1
	fatbinLZ4     = 0x2000
	fatbinZstd    = 0x8000
)

// fatbinSize is the whole size of a fatbin, by the first 16 bytes.
func fatbinSize(b []byte) int {
	return int(binary.LittleEndian.Uint16(b[6:])) + int(min(binary.LittleEndian.Uint64(b[8:]), 1<<40))
}

// fatbinPTX is the newest PTX in a fatbin that is not newer than a version.
func fatbinPTX(b []byte, newest int) (string, *refusal) {
	le := binary.LittleEndian
	found, text := -1, ""
	var why string
	for at := int(le.Uint16(b[6:])); at+64 <= len(b); {
		e := b[at:]
		header, payload := uint64(le.Uint32(e[4:])), le.Uint64(e[8:])
		if header < 64 || header > uint64(len(e)) || payload > uint64(len(e))-header {
			return "", refuse(driver.InvalidImage, "sim: a fatbin whose entries are broken")
		}
		version := 10*int(le.Uint16(e[26:])) + int(le.Uint16(e[24:]))
		if le.Uint16(e) == fatbinKindPTX && version > found {
			t, err := fatbinText(e, e[header:header+payload])
			switch {
			case err != nil:
				why = err.Error()
			case version > newest:
				why = fmt.Sprintf("its PTX %d.%d is of a newer CUDA", version/10, version%10)
			default:
				found, text = version, t
			}
		}
		at += int(header + payload)
	}
	switch {
	case found >= 0:
		return text, nil
	case why != "":
		return "", refuse(driver.NoBinaryForGPU, "sim: a fatbin without PTX that can be used: %s: %s", why, howToPTX)
	}
	return "", refuse(driver.NoBinaryForGPU, "sim: a fatbin without PTX: %s", howToPTX)
}

// fatbinText is the text of an entry. The version's directive is not in it but in the header.
func fatbinText(header, payload []byte) (string, error) {
	le := binary.LittleEndian
	switch flags := le.Uint64(header[40:]); {
	case flags&fatbinZstd != 0:
		return "", fmt.Errorf("its PTX is compressed by Zstandard (fatbinary --compress=false leaves it as it is)")
	case flags&fatbinLZ4 != 0:
		size := le.Uint64(header[56:])
		if size > 64<<20 || uint64(le.Uint32(header[16:])) > uint64(len(payload)) {
			return "", fmt.Errorf("its PTX is broken")
		}
		var err error
		if payload, err = lz4(payload[:le.Uint32(header[16:])], int(size)); err != nil {
			return "", fmt.Errorf("its PTX is broken: %w", err)
		}
	}
	text := strings.TrimRight(string(payload), "\x00")
	if !strings.Contains(text, ".version") {
		text = fmt.Sprintf(".version %d.%d", le.Uint16(header[26:]), le.Uint16(header[24:])) + text
	}
	return text, nil
}
