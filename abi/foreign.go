package abi

import (
	"fmt"
	"slices"
	"strings"
)

// foreign are names that other languages have for types of the table.
var foreign = map[string]string{
	"float16": "__half", "float32": "float", "float64": "double", "bfloat16": "__nv_bfloat16",
	"int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
	"uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
	"byte": "uint8_t", "rune": "int32_t", "boolean": "bool", "usize": "size_t", "uintptr": "uintptr_t",
	"f16": "__half", "f32": "float", "f64": "double", "bf16": "__nv_bfloat16",
	"i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
	"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
	"complex64": "cuFloatComplex", "complex128": "cuDoubleComplex",
}

// goOrder is an error for a parameter written as in Go, its name first.
func (p *paramParser) goOrder() error {
	n := len(p.tokens)
	if n < 2 || p.tokens[0].kind != identifier || p.tokens[n-1].kind != identifier {
		return nil
	}
	name, last := p.tokens[0].text, p.tokens[n-1].text
	if reserved[name] || lookup(name) != nil || foreign[name] != "" {
		return nil
	}
	c := foreign[last]
	if c == "" && (lookup(last) != nil || slices.Contains(builtin, last)) {
		c = last
	}
	stars := strings.ReplaceAll(joinTokens(p.tokens[1:n-1]), "[]", "*")
	if c == "" || strings.Trim(stars, "*") != "" {
		return nil
	}
	p.name = name
	return fmt.Errorf("in C the type comes first: %s %s%s", c, stars, clip(name))
}
