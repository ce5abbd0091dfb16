package forms

// videos adds the SIMD video instructions.
func videos(l *list) {
	for _, op := range []string{"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"} {
		for _, lanes := range []string{"2", "4"} {
			for _, types := range []string{".u32.u32.u32", ".s32.s32.s32", ".s32.u32.u32", ".u32.s32.s32", ".u32.u32.s32", ".s32.s32.u32"} {
				for _, more := range []string{"", ".sat", ".add"} {
					form := op + lanes + types + more
					l.add("video", form, form+" %d, %a, %b, %c;", "b32 b32 b32", "b32").Count = 512
				}
			}
		}
	}
}
