package number

// A Rounding is one of PTX's four rounding modes for floating-point results. The zero
// value is RN.
// Safe for concurrent use.
type Rounding uint8

const (
	RN Rounding = iota // .rn: to nearest, ties to even
	RZ                 // .rz: toward zero
	RM                 // .rm: toward negative infinity
	RP                 // .rp: toward positive infinity
)

// away tells whether a directed mode rounds a value of that sign away from zero.
func (r Rounding) away(negative bool) bool {
	return r == RM && negative || r == RP && !negative
}
