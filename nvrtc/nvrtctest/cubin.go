package nvrtctest

import "encoding/binary"

// cubin is what stands for machine code: an ELF file for NVIDIA's machines with
// one section, which says what it was made from. The driver of package
// drivertest knows it.
func cubin(ptx string) []byte {
	const header, machine = 64, 190 // EM_CUDA
	text := "made from " + ptx
	le := binary.LittleEndian
	b := make([]byte, header+len(text)+header)
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint16(b[16:], 2) // an executable
	le.PutUint16(b[18:], machine)
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[40:], uint64(header+len(text))) // where the section's header is
	le.PutUint16(b[52:], header)
	le.PutUint16(b[58:], header) // a section header's size
	le.PutUint16(b[60:], 1)      // and how many
	copy(b[header:], text)
	section := b[header+len(text):]
	le.PutUint32(section[4:], 1) // SHT_PROGBITS
	le.PutUint64(section[24:], header)
	le.PutUint64(section[32:], uint64(len(text)))
	return b
}
