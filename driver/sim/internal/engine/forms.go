package engine

import (
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// A Form is an instruction form of the table, forms.txt.
//
// Safe for concurrent use after it is made; its fields must not change.
type Form struct {
	Name  string   // "add.rn.f32"
	Kinds []string // the types of the operands, the destination's first: "f32", "pred"
	Func  string   // what does it: a function of zforms.go
}

// Forms lists the table in the order of names.
//
// Safe for concurrent use.
func Forms() []Form {
	var all []Form
	for i := range formTable {
		f := &formTable[i]
		one := Form{Name: f.name}
		for _, k := range f.kinds {
			one.Kinds = append(one.Kinds, string(k))
		}
		one.Func, _ = nameOf(f.fn)
		all = append(all, one)
	}
	return all
}

// Decoders lists the opcodes that need more than the table, each with the file that decodes it.
//
// Safe for concurrent use.
func Decoders() map[string]string {
	files := map[string]string{}
	for opcode, f := range newDecoders() {
		_, files[opcode] = nameOf(f)
	}
	return files
}

// nameOf is a function's name and the file that it stands in.
func nameOf(f any) (name, file string) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	path, _ := fn.FileLine(fn.Entry())
	return fn.Name()[strings.LastIndexByte(fn.Name(), '.')+1:], filepath.Base(path)
}
