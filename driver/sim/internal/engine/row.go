package engine

import "encoding/binary"

// row is the memory of a warp's lanes where each accesses the 4 bytes behind those of the lane before, as most kernels do; nil if they don't.
// base is what the first byte of data has for its address.
func row[A word](as *[32]A, data []byte, base uint64) *[128]byte {
	first := uint64(as[0])
	off := first - base
	if off&3 != 0 || uint64(len(data)) < 128 || off > uint64(len(data))-128 {
		return nil
	}
	apart := uint64(0)
	for i, a := range as {
		apart |= uint64(a) - first - 4*uint64(i)
	}
	if apart != 0 {
		return nil
	}
	return (*[128]byte)(data[off:])
}

// loadRow and saveRow move the words of 32 lanes.
func loadRow(d *[32]uint32, from *[128]byte) {
	for i := range d {
		d[i] = binary.LittleEndian.Uint32(from[4*i:])
	}
}

func saveRow(to *[128]byte, d *[32]uint32) {
	for i, v := range d {
		binary.LittleEndian.PutUint32(to[4*i:], v)
	}
}
