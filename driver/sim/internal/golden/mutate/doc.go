// Package mutate breaks PTX, as text and as tree, to see that the engine refuses or runs whatever comes out: no panic, no endless run, no access
// outside what the program was given.
package mutate
