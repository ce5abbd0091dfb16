// Package misuse holds the error codes of the simulated driver to those of a real one: scenarios call the driver's functions wrongly, or in a
// state where they must fail, with the words of C.
//
// A [Scenario] makes several calls; each has a line in testdata/answers.txt. On a GPU scenarios run in child processes, since some crash in libcuda
// and some take the GPU from the process: a crash is an answer, too. The simulated driver gets the same words in this process.
package misuse
