package drivertest

import "testing"

// Whatever the text, parameters lie one behind the other and sizes are none
// below nothing.
func FuzzScanPTX(f *testing.F) {
	f.Add(".version 7.0\n.target sm_70\n.visible .entry k(.param .u8 a, .param .align 16 .b8 b[48]) .maxntid 8 { ret; }\n.global .b8 g[4];")
	f.Add(".version 7.0\n.entry k(.param .align 0 .b8 b[99999999999999999999]) { }")
	f.Fuzz(func(t *testing.T, text string) {
		im, ok := scanPTX(text)
		if !ok {
			return
		}
		for _, fn := range im.functions {
			end := 0
			for i, p := range fn.Params {
				if p.Size < 0 || p.Offset < end {
					t.Fatalf("%s: parameter %d at %d, %d bytes, behind %d", fn.Name, i, p.Offset, p.Size, end)
				}
				end = p.Offset + p.Size
			}
			if fn.MaxThreads > 1024 || fn.Shared < 0 {
				t.Fatalf("%+v", fn)
			}
		}
		for _, v := range im.variables {
			if v.size < 0 {
				t.Fatalf("%+v", v)
			}
		}
	})
}

func FuzzScanCubin(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		im, ok := scanCubin(b)
		if ok && len(im.functions)+len(im.variables) == 0 {
			t.Fatal("a module with nothing in it")
		}
	})
}
