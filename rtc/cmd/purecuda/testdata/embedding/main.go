// Embedding is a program that carries its kernels, compiled: see TestEmbedding.
package main

import (
	_ "embed"
	"fmt"
	"log"

	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

//go:embed kernels.cache
var kernels []byte

//go:embed axpy.cu
var source string

func main() {
	archive, err := cache.LoadArchive(kernels)
	if err != nil {
		log.Fatal(err)
	}
	service := compile.NewService(compile.Config{Store: archive})
	defer service.Close()
	dev, err := rtc.OpenSimulated()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{Service: service, Exports: []string{"axpy<float>"}})
	if err != nil {
		log.Fatal(err)
	}
	axpy, err := mod.Kernel("axpy<float>")
	if err != nil {
		log.Fatal(err)
	}
	x, err := rtc.Ones[float32](dev, 4)
	if err != nil {
		log.Fatal(err)
	}
	y, err := rtc.Zeros[float32](dev, 4)
	if err != nil {
		log.Fatal(err)
	}
	if err := axpy.Launch(dev, rtc.Dim(1), rtc.Dim(4), 0, x, y, 3.0); err != nil {
		log.Fatal(err)
	}
	out, err := rtc.ToSlice[float32](y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out, "compiled", mod.Stats().Compiles, "found", mod.Stats().Cached)
}
