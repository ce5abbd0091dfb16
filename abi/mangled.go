package abi

import (
	"fmt"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

const (
	maxMangledLen   = 1 << 15 // bytes; the demangler recurses, and printing takes time by the square of the depth
	maxMangledDepth = 256     // levels of one parameter's type
	maxTypeText     = 12      // a type's name is cut at 2^12 bytes, since substitutions can double it again and again
)

// FromMangled reads a kernel's signature from its lowered name, as
// nvrtcGetLoweredName gives it and as it stands in the PTX: "_Z4axpyIfEvPKT_PS0_S0_". The
// parameters have no names, and typedefs are resolved. A type of the
// program's own is Opaque, since the name does not tell an enum from a class;
// so is one that depends on a template argument (typename Traits<T>::type), whatever it is.
//
// The error matches ErrNoSignature where the name has no parameter list: extern
// "C" kernels, variables, and what is no mangled name. It is a *SignatureError for
// a parameter that can't be passed as such: references, pointers to functions
// and to members. NVRTC does compile a kernel with a reference; state its signature with a pointer.
func FromMangled(lowered string) (Signature, error) {
	m := mangled{name: lowered}
	err := m.read()
	if err != nil {
		return Signature{}, err
	}
	return m.sig, nil
}

// parseMangled runs the demangler, which panics on some names.
func parseMangled(name string) (ast demangle.AST, err error) {
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, fmt.Errorf("the demangler failed: %v", r)
		}
	}()
	return demangle.ToAST(name, demangle.NoRust, demangle.NoABITags)
}

// functionOf finds the function type of a name, nil if it has none.
func functionOf(ast demangle.AST) *demangle.FunctionType {
	for range maxMangledDepth {
		switch n := ast.(type) {
		case *demangle.Typed:
			ast = n.Type
		case *demangle.Clone:
			ast = n.Base
		case *demangle.EnableIf:
			ast = n.Type
		case *demangle.Constraint:
			ast = n.Name
		case *demangle.MethodWithQualifiers:
			ast = n.Method
		case *demangle.FunctionType:
			return n
		default:
			return nil
		}
	}
	return nil
}

// A mangled is a signature while it is read from a name.
type mangled struct {
	name    string
	lenient bool // a parameter that can't be passed is Opaque
	sig     Signature
}

func (m *mangled) read() error {
	none := func(reason string) error {
		return fmt.Errorf("abi: read the signature of %q: %s: %w", clip(m.name), reason, ErrNoSignature)
	}
	if !strings.HasPrefix(m.name, "_Z") {
		return none(`it is not mangled, as with extern "C"`)
	}
	if len(m.name) > maxMangledLen {
		return none(fmt.Sprintf("it has over %d bytes", maxMangledLen))
	}
	ast, err := parseMangled(m.name)
	if err != nil {
		return none(err.Error())
	}
	f := functionOf(ast)
	if f == nil {
		return none("it is no function")
	}
	return m.params(f.Args)
}

func (m *mangled) params(args []demangle.AST) error {
	if len(args) == 1 {
		if b, ok := args[0].(*demangle.BuiltinType); ok && b.Name == "void" {
			return nil
		}
	}
	for _, arg := range args {
		var err error
		switch a := arg.(type) {
		case *demangle.ExprList: // an expanded parameter pack
			err = m.params(a.Exprs)
		case *demangle.PackExpansion:
			err = m.refuse(arg, "the name does not tell the length of the parameter pack")
		default:
			err = m.param(arg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *mangled) param(arg demangle.AST) error {
	if len(m.sig.Params) == MaxParamBytes {
		return m.refuse(arg, "more parameters than any kernel can take")
	}
	t, msg := m.typeOf(arg, 0)
	if msg == "" && t.Kind == Void {
		msg = "void is no value"
	}
	switch {
	case msg != "" && m.lenient:
		t = Type{Kind: Opaque, Name: typeText(arg)}
	case msg != "":
		return m.refuse(arg, msg)
	}
	t.Const, t.Volatile = false, false
	m.sig.Params = append(m.sig.Params, Param{Type: t})
	return nil
}

func (m *mangled) refuse(arg demangle.AST, msg string) error {
	return &SignatureError{Signature: m.name, Index: len(m.sig.Params), Param: typeText(arg), Msg: msg}
}

// typeOf converts a node of the demangler's tree. msg is why it can't be passed.
func (m *mangled) typeOf(node demangle.AST, depth int) (t Type, msg string) {
	if depth > maxMangledDepth {
		return t, "the type is nested too deeply"
	}
	depth++
	switch n := node.(type) {
	case *demangle.TypeWithQualifiers:
		t, msg = m.typeOf(n.Base, depth)
		if q, ok := n.Qualifiers.(*demangle.Qualifiers); ok {
			addQualifiers(&t, q.Qualifiers)
		}
		return t, msg
	case *demangle.PointerType:
		elem, msg := m.typeOf(n.Base, depth)
		return Type{Kind: Pointer, Elem: &elem}, msg
	case *demangle.ArrayType: // behind a pointer: the elements follow one another
		return m.typeOf(n.Element, depth)
	case *demangle.TemplateParamQualifiedArg:
		return m.typeOf(n.Arg, depth)
	case *demangle.VendorQualifier:
		return m.typeOf(n.Type, depth)
	case *demangle.ReferenceType, *demangle.RvalueReferenceType:
		return t, "a reference holds an address, which the host can't make of a value; state the signature with a pointer, and pass an array"
	case *demangle.FunctionType, *demangle.MethodWithQualifiers:
		return t, "the host has no address of device code; state the signature with unsigned long long for an address that you have got"
	case *demangle.PtrMem:
		return t, "a pointer to a member can't be made on the host"
	case *demangle.BuiltinType:
		if n.Name == "..." {
			return t, "a kernel takes no variable arguments"
		}
	case *demangle.ElaboratedType:
		t = *named(typeText(n.Type))
		if t.Kind == Opaque {
			t.Kind, t.Name = Struct, "struct "+t.Name
			if n.Kind == "enum" {
				t.Kind, t.Name = Enum, "enum "+strings.TrimPrefix(t.Name, "struct ")
			}
		}
		return t, ""
	}
	return *named(typeText(node)), ""
}

func addQualifiers(t *Type, list []demangle.AST) {
	for _, q := range list {
		if q, ok := q.(*demangle.Qualifier); ok {
			t.Const = t.Const || q.Name == "const"
			t.Volatile = t.Volatile || q.Name == "volatile"
		}
	}
}

// named finds a type in the table, else makes it Opaque.
func named(text string) *Type {
	if t := lookup(text); t != nil {
		return t
	}
	return &Type{Kind: Opaque, Name: text}
}

// typeText prints a node; the demangler's printer panics on broken ones.
func typeText(node demangle.AST) (text string) {
	defer func() {
		if recover() != nil || text == "" {
			text = "unknown type"
		}
		text = strings.ToValidUTF8(text, "?") // names are bytes to the demangler
	}()
	if node == nil {
		return ""
	}
	return demangle.ASTToString(node, demangle.LLVMStyle, demangle.MaxLength(maxTypeText))
}
