package dl

// A Redirect turns away some of a library's calls of one C function: where the
// first argument, a C int, is in Zero, the library gets the result 0 at once
// and the function is not called. All other calls reach it unchanged, as do
// those that the rest of the process makes.
//
// Safe for concurrent use after it is made; its fields must not change.
type Redirect struct {
	Symbol string // a function that the library imports from another
	Zero   []int  // values of the first argument, each from 0 to 63
}
