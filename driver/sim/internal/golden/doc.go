// Package golden holds the simulated device to a real one: kernels run on a GPU, what they gave is kept in files, and the engine has to give
// the same without a GPU from then on.
//
// A [Machine] runs a kernel: [Simulated] on the engine, [OpenGPU] on the first CUDA device. [Answers] is a file of results. What is run
// stands in the packages below: forms has a kernel for each form of instruction, corpus the kernels that NVRTC compiled, random
// programs made from a seed, misuse calls of the driver that go wrong. ci/gpu golden records all of them.
package golden
