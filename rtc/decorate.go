package rtc

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// decorate writes the source around body, and its signature.
func decorate(name string, inputs, outputs []Named, body string) (text, signature string, err error) {
	if !identifier.MatchString(name) {
		return "", "", errors.New("its name is not a C identifier")
	}
	var head, params, consts strings.Builder
	includes := map[string]bool{}
	seen := map[string]bool{}
	add := func(a Named, what string, i int, qualifier string) error {
		if !identifier.MatchString(a.Name) {
			return fmt.Errorf("the name of %s %d, %q, is not a C identifier", what, i, a.Name)
		}
		if seen[a.Name] {
			return fmt.Errorf("two arrays are called %s", a.Name)
		}
		seen[a.Name] = true
		if err := a.Array.use(); err != nil {
			return fmt.Errorf("%s %d (%s): %w", what, i, a.Name, err)
		}
		t, include := cType(a.Array.dtype)
		if include != "" && !includes[include] {
			includes[include] = true
			fmt.Fprintf(&head, "#include <%s>\n", include)
		}
		if params.Len() > 0 {
			params.WriteString(", ")
		}
		fmt.Fprintf(&params, "%s%s *%s", qualifier, t, a.Name)
		dims := []string{}
		for _, n := range a.Array.shape {
			dims = append(dims, strconv.Itoa(n))
		}
		if len(dims) == 0 { // C++ has no empty arrays
			dims = []string{"1"}
		}
		// Used, so that the compiler does not warn of those that the body leaves.
		fmt.Fprintf(&consts, "const int %[1]s_ndim = %[2]d; const int %[1]s_dims[] = {%[3]s}; (void)%[1]s_ndim; (void)%[1]s_dims;\n",
			a.Name, len(a.Array.shape), strings.Join(dims, ", "))
		return nil
	}
	for i, a := range inputs {
		if err := add(a, "input", i, "const "); err != nil {
			return "", "", err
		}
	}
	for i, a := range outputs {
		if err := add(a, "output", i, ""); err != nil {
			return "", "", err
		}
	}
	// The empty line is for a body that ends with a backslash.
	text = fmt.Sprintf("%sextern \"C\" __global__ void %s(%s) {\n%s#line 1 %q\n%s\n\n}\n",
		&head, name, &params, &consts, name, body)
	return text, params.String(), nil
}

// cType is a C type that needs no header, or the header it needs: NVRTC has no
// <stdint.h>.
func cType(t DType) (name, include string) {
	switch t {
	case Int8:
		return "signed char", ""
	case Int16:
		return "short", ""
	case Int32:
		return "int", ""
	case Int64:
		return "long long", ""
	case Uint8:
		return "unsigned char", ""
	case Uint16:
		return "unsigned short", ""
	case Uint32:
		return "unsigned int", ""
	case Uint64:
		return "unsigned long long", ""
	case Float16:
		return t.CName(), "cuda_fp16.h"
	case BF16:
		return t.CName(), "cuda_bf16.h"
	case Float8E4M3, Float8E5M2:
		return t.CName(), "cuda_fp8.h"
	case Complex64, Complex128:
		return t.CName(), "cuComplex.h"
	}
	return t.CName(), "" // bool, float, double
}
