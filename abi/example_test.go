package abi_test

import (
	"fmt"

	"github.com/purecuda/purecuda/abi"
)

func Example() {
	sig, err := abi.ParseSignature("const float *x, float *y, float alpha")
	if err != nil {
		panic(err)
	}
	// The places of the parameters, as the PTX of the compiled kernel tells them.
	slots := []abi.Slot{{Offset: 0, Size: 8, Align: 8}, {Offset: 8, Size: 8, Align: 8}, {Offset: 16, Size: 4, Align: 4}}
	args, err := abi.NewBuffer("axpy", sig, slots)
	if err != nil {
		panic(err)
	}
	if err := args.SetAll([]any{abi.Addr(0x1000), abi.Addr(0x2000), 3.0}); err != nil {
		panic(err)
	}
	fmt.Println("reads", sig.Reads(), "writes", sig.Writes())
	fmt.Printf("% x\n", args.Bytes())
	fmt.Println(args.Set(2, "3.0"))
	// Output:
	// reads [0] writes [1]
	// 00 10 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 00 40 40
	// abi: kernel axpy: argument 2 (alpha): want float, got string: the parameter takes a number
}
