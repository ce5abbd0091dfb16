package number

// pick16 returns the lesser or the greater of two 16-bit numbers whose infinity is inf.
func pick16(a, b, inf uint16, lesser bool) uint16 {
	switch {
	case a&0x7fff > inf && b&0x7fff > inf:
		return nanF16 // which is bf16's too
	case a&0x7fff > inf:
		return b
	case b&0x7fff > inf:
		return a
	}
	if (order16(a) < order16(b)) == lesser {
		return a
	}
	return b
}

// pickNaN16 is pick16 with .NaN.
func pickNaN16(a, b, inf uint16, lesser bool) uint16 {
	if a&0x7fff > inf || b&0x7fff > inf {
		return nanF16
	}
	return pick16(a, b, inf, lesser)
}

// order16 maps the bits of a number to an integer with the same order.
func order16(a uint16) int16 {
	if a&0x8000 != 0 {
		return int16(^a ^ 0x8000)
	}
	return int16(a)
}

// xorSign16 picks among the magnitudes and gives the result the product's sign.
func xorSign16(a, b, inf uint16, lesser, nan bool) uint16 {
	var r uint16
	if nan {
		r = pickNaN16(a&0x7fff, b&0x7fff, inf, lesser)
	} else {
		r = pick16(a&0x7fff, b&0x7fff, inf, lesser)
	}
	if r > inf {
		return r
	}
	return r | (a^b)&0x8000
}

// MinXorSignF16 is min.xorsign.abs.f16. Safe for concurrent use.
func MinXorSignF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7c00, true, false) }

// MinXorSignBF16 is min.xorsign.abs.bf16. Safe for concurrent use.
func MinXorSignBF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7f80, true, false) }

// MinNaNXorSignF16 is min.NaN.xorsign.abs.f16. Safe for concurrent use.
func MinNaNXorSignF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7c00, true, true) }

// MinNaNXorSignBF16 is min.NaN.xorsign.abs.bf16. Safe for concurrent use.
func MinNaNXorSignBF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7f80, true, true) }

// MaxXorSignF16 is max.xorsign.abs.f16. Safe for concurrent use.
func MaxXorSignF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7c00, false, false) }

// MaxXorSignBF16 is max.xorsign.abs.bf16. Safe for concurrent use.
func MaxXorSignBF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7f80, false, false) }

// MaxNaNXorSignF16 is max.NaN.xorsign.abs.f16. Safe for concurrent use.
func MaxNaNXorSignF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7c00, false, true) }

// MaxNaNXorSignBF16 is max.NaN.xorsign.abs.bf16. Safe for concurrent use.
func MaxNaNXorSignBF16(a, b uint16) uint16 { return xorSign16(a, b, 0x7f80, false, true) }
