// Package forms has a kernel for each form of PTX instruction that the engine does, with operands to run it on: edges of each type, crossed for
// two operands, and random bits. Each kernel has that one instruction between loads and stores, so that an assembler can
// neither work it out nor fuse it.
//
// [Cases] lists them: those of the engine's table of forms, and by hand those that the engine decodes by itself. What a GPU gave is in
// testdata, one file for each family; FORMS.md says for every form what does it, where it is held to the GPU, and since which PTX
// it is there.
package forms
