package corpus

import "regexp"

// contractible are the instructions that an assembler may make one fma of: those that are not told how to round.
var contractible = regexp.MustCompile(`(?m)(^|[^.\w])(add|sub|mul)((?:\.ftz)?(?:\.sat)?\.(?:f32|f64|f16|f16x2|bf16|bf16x2)\b)`)

// Pin tells every addition, subtraction and multiplication of floating-point numbers to round to the nearest, which is what it does anyway when nothing
// is made of it and another.
//
// Safe for concurrent use.
func Pin(text string) string { return contractible.ReplaceAllString(text, "$1$2.rn$3") }

// approximate are the instructions whose results are not laid down to the last bit.
var approximate = regexp.MustCompile(`\.approx\b|\.full\b|\bw?mma\.(?:mma\.)?sync[.a-z0-9]*\.f(?:16|32)\b`)

// Approximate reports whether a text has an instruction whose result is not laid down to the last bit.
//
// Safe for concurrent use.
func Approximate(text string) bool { return approximate.MatchString(text) }
