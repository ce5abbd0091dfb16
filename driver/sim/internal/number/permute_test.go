package number_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// The manual's table of prmt: the source byte of d.b3 to d.b0 for selectors 0 to 3.
func TestPrmtModes(t *testing.T) {
	const a, b = 0x33221100, 0x77665544
	for _, m := range []struct {
		name string
		f    func(a, b, c uint32) uint32
		want [4]uint32
	}{
		{"f4e", number.PrmtF4E, [4]uint32{0x3210, 0x4321, 0x5432, 0x6543}},
		{"b4e", number.PrmtB4E, [4]uint32{0x5670, 0x6701, 0x7012, 0x0123}},
		{"rc8", number.PrmtRC8, [4]uint32{0x0000, 0x1111, 0x2222, 0x3333}},
		{"ecl", number.PrmtECL, [4]uint32{0x3210, 0x3211, 0x3222, 0x3333}},
		{"ecr", number.PrmtECR, [4]uint32{0x0000, 0x1110, 0x2210, 0x3210}},
		{"rc16", number.PrmtRC16, [4]uint32{0x1010, 0x3232, 0x1010, 0x3232}},
	} {
		for sel, order := range m.want {
			want := number.Prmt(a, b, order)
			assert.Equalf(t, want, m.f(a, b, uint32(sel)), "%s %d", m.name, sel)
			assert.Equalf(t, want, m.f(a, b, uint32(sel)|0xfffffffc), "%s uses two bits of c", m.name)
		}
	}
}

func TestPrmt(t *testing.T) {
	for _, x := range []struct{ a, b, c, want uint32 }{
		{0x33221100, 0x77665544, 0x3210, 0x33221100},
		{0x33221100, 0x77665544, 0x7654, 0x77665544},
		{0x33221100, 0x77665544, 0x0123, 0x00112233},
		{0x33221100, 0x77665544, 0xffff5410, 0x55441100},
		{0x80ff7f00, 0x01020384, 0xba98, 0xffff0000},
		{0x80ff7f00, 0x01020384, 0xfedc, 0x000000ff},
		{0x80ff7f00, 0x01020384, 0xc3b0, 0xff80ff00},
	} {
		assert.Equalf(t, x.want, number.Prmt(x.a, x.b, x.c), "%#x %#x %#x", x.a, x.b, x.c)
	}
}

func TestFunnelShift(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range 200 {
		a, b := r.Uint32(), r.Uint32()
		pair := uint64(b)<<32 | uint64(a)
		for _, c := range []uint32{0, 1, 8, 31, 32, 33, 40, 63, 64, 0xffffffff} {
			clamp, wrap := min(c, 32), c&31
			require.Equal(t, uint32(pair<<clamp>>32), number.ShfLClamp(a, b, c))
			require.Equal(t, uint32(pair<<wrap>>32), number.ShfLWrap(a, b, c))
			require.Equal(t, uint32(pair>>clamp), number.ShfRClamp(a, b, c))
			require.Equal(t, uint32(pair>>wrap), number.ShfRWrap(a, b, c))
		}
	}
	assert.Equal(t, []uint32{1 << 31, 0, 0}, []uint32{number.Shl(uint32(1), 31), number.Shl(uint32(1), 32), number.Shl(uint32(1), 1<<31)})
	assert.Equal(t, []int32{-1, -1}, []int32{number.Shr(int32(-5), 32), number.Shr(int32(-5), 0xffffffff)})
	assert.Equal(t, []uint16{0, 0x8000}, []uint16{number.Shl(uint16(1), 16), number.Shl(uint16(1), 15)})
	assert.Equal(t, uint64(1), number.Shr(uint64(1<<63), 63))
}

func TestLop3(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for lut := range 256 {
		a, b, c := r.Uint32(), r.Uint32(), r.Uint32()
		var want uint32
		for i := range 32 {
			n := a>>i&1<<2 | b>>i&1<<1 | c>>i&1
			want |= uint32(lut) >> n & 1 << i
		}
		require.Equalf(t, want, number.Lop3(a, b, c, uint8(lut)), "%#x", lut)
	}
	// The lookup tables that the manual names.
	const ta, tb, tc = 0xf0, 0xcc, 0xaa
	a, b, c := uint32(0x12345678), uint32(0x9abcdef0), uint32(0x0f1e2d3c)
	assert.Equal(t, a&b&c, number.Lop3(a, b, c, ta&tb&tc))
	assert.Equal(t, a|b|c, number.Lop3(a, b, c, ta|tb|tc))
	assert.Equal(t, a&b&^c, number.Lop3(a, b, c, ta&tb&^tc))
	assert.Equal(t, a&b|c^a, number.Lop3(a, b, c, (ta&tb|tc^ta)&0xff))
}
