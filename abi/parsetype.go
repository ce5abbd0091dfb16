package abi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// reserved are the words that can't name a parameter.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("const __const volatile restrict __restrict__ __restrict __grid_constant__ struct class union enum typename " +
		"auto register static extern typedef template operator void bool _Bool char short int long float double signed unsigned " +
		"__signed__ __int8 __int16 __int32 __int64 __int128 __global__ __device__ __shared__ __constant__ decltype sizeof this") {
		words[w] = true
	}
	return words
}()

// complexName matches the complex numbers of CUDA's libraries, whose namespace holds
// an inline one named after a version: cuda::std::__4, thrust::THRUST_200302_700_NS.
// Few programs have one, so it is compiled when the first comes.
var complexName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(cuda::std|thrust)(?:::\w+)?::complex<(float|double)>$`)
})

// builtin are the words that C builds its arithmetic types of.
var builtin = strings.Fields("unsigned signed __signed__ char short int long float double bool _Bool void __int64")

// base reads the type before the stars, with its qualifiers.
func (p *paramParser) base() (Type, error) {
	var q Type
	var words []string
	var named *Type
	for p.pos < len(p.tokens) {
		t := p.tokens[p.pos]
		switch {
		case p.qualifier(&q):
		case t.kind == identifier && slices.Contains(builtin, t.text) && named == nil:
			words = append(words, t.text)
			p.pos++
		case t.text == "struct" || t.text == "class" || t.text == "union" || t.text == "enum" || t.text == "typename":
			if named != nil || len(words) > 0 {
				return q, p.unexpected()
			}
			var err error
			if named, err = p.elaborated(); err != nil {
				return q, err
			}
		case t.text == "__int128" && named == nil:
			return q, fmt.Errorf("a signature has no __int128: leave it to the name of a kernel that Exports lists, or pass the halves, as unsigned long long; a pointer to some is void *")
		case reserved[t.text] && named == nil && len(words) == 0:
			return q, fmt.Errorf("%s is no type of a parameter", t.text)
		case (t.kind == identifier || t.text == "::") && named == nil && len(words) == 0:
			name, err := p.qualified()
			if err != nil {
				return q, err
			}
			if named = lookup(name); named == nil {
				return q, unknownType(name)
			}
		default:
			return p.finish(q, words, named)
		}
	}
	return p.finish(q, words, named)
}

func (p *paramParser) finish(q Type, words []string, named *Type) (Type, error) {
	switch {
	case named != nil:
	case len(words) > 0:
		name, err := spelling(words)
		if err != nil {
			return q, err
		}
		named = lookup(name)
	case p.pos == len(p.tokens):
		return q, fmt.Errorf("it has no type")
	default:
		if p.peek() == "(" || p.peek() == "=" {
			return q, p.unexpected()
		}
		return q, fmt.Errorf("a type must come first, not %q", p.peek())
	}
	t := *named
	t.Const, t.Volatile = q.Const, q.Volatile
	return t, nil
}

// elaborated reads "struct X" and "enum X"; class and union count as struct.
func (p *paramParser) elaborated() (*Type, error) {
	tag := p.peek()
	p.pos++
	if tag == "enum" && (p.peek() == "class" || p.peek() == "struct") {
		p.pos++
	}
	name, err := p.qualified()
	if err != nil {
		return nil, err
	}
	if known := lookup(name); known != nil { // "struct float4"
		return known, nil
	}
	switch tag {
	case "enum":
		return &Type{Kind: Enum, Name: "enum " + name}, nil
	case "typename":
		return nil, unknownType(name)
	}
	return &Type{Kind: Struct, Name: "struct " + name}, nil
}

// qualified reads a name with its scopes and template arguments, and returns it
// in one spelling: "ns::Box<float, 3>".
func (p *paramParser) qualified() (string, error) {
	start := p.pos
	p.accept("::")
	for {
		if p.pos == len(p.tokens) || p.tokens[p.pos].kind != identifier || reserved[p.tokens[p.pos].text] {
			return "", fmt.Errorf("a type's name must follow %q", joinTokens(p.tokens[:p.pos]))
		}
		p.pos++
		if p.peek() == "<" {
			if err := p.templateArgs(); err != nil {
				return "", err
			}
		}
		if !p.accept("::") {
			return strings.TrimPrefix(joinTokens(p.tokens[start:p.pos]), "::"), nil
		}
	}
}

// templateArgs skips what stands between < and its partner.
func (p *paramParser) templateArgs() error {
	depth := 0
	for ; p.pos < len(p.tokens); p.pos++ {
		switch t := p.tokens[p.pos]; t.text {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				p.pos++
				return nil
			}
		case "=", ";", "{", "}", "#", "\"", "...", ".", ":", "+":
			return fmt.Errorf("%q has no place among template arguments", t.text)
		}
	}
	return fmt.Errorf("a < has no partner")
}

// joinTokens writes tokens with a blank only between words and after commas.
func joinTokens(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.kind != punctuation && tokens[i-1].kind != punctuation || i > 0 && tokens[i-1].text == "," {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// spelling reduces words such as "long unsigned int" to the table's name.
func spelling(words []string) (string, error) {
	count := map[string]int{}
	for _, w := range words {
		switch w {
		case "__signed__":
			w = "signed"
		case "_Bool":
			w = "bool"
		}
		count[w]++
	}
	bad := fmt.Errorf("%q is not a type", strings.Join(words, " "))
	for w, n := range count {
		if n > 1 && !(w == "long" && n == 2) {
			return "", bad
		}
	}
	if count["long"] == 1 && count["double"] == 1 && len(words) == 2 {
		return "", fmt.Errorf("the device has no long double; its compiler makes it double")
	}
	unsigned, signed := count["unsigned"] > 0, count["signed"] > 0
	for _, w := range []string{"float", "double", "bool", "void"} {
		if count[w] > 0 {
			if len(words) > 1 {
				return "", bad
			}
			return w, nil
		}
	}
	long, short, char, wide := count["long"], count["short"], count["char"], count["__int64"]
	if unsigned && signed || long > 0 && short+char+wide > 0 || short > 0 && char+wide > 0 || char+wide > 0 && char+wide+count["int"] > 1 {
		return "", bad
	}
	name := "int"
	switch {
	case char > 0 && signed:
		return "signed char", nil
	case char > 0:
		name = "char"
	case short > 0:
		name = "short"
	case long == 2 || wide > 0:
		name = "long long"
	case long == 1:
		name = "long"
	}
	if unsigned {
		name = "unsigned " + name
	}
	return name, nil
}

// lookup finds a type in the table, under the names that libraries' inline
// namespaces make of it as well.
func lookup(name string) *Type {
	if t, ok := types[name]; ok {
		return &t
	}
	if m := complexName().FindStringSubmatch(name); m != nil {
		t := types[m[1]+"::complex<"+m[2]+">"]
		return &t
	}
	if rest, ok := strings.CutPrefix(name, "std::"); ok {
		if t, ok := types[rest]; ok && strings.HasSuffix(rest, "_t") { // std::size_t, std::int32_t
			return &t
		}
	}
	return nil
}

func unknownType(name string) error {
	if c := foreign[name]; c != "" {
		return fmt.Errorf("unknown type %s: in C it is %s", name, c)
	}
	hint := "write"
	if near := nearestType(name); near != "" {
		hint = "did you mean " + near + "? Else write"
	}
	name = clip(name)
	return fmt.Errorf("unknown type %s: %s struct %s or enum %s for one of the program's own; the known types are %s", name, hint, name, name, typeList)
}
