package jitlink_test

import (
	"log"
	"os"

	"github.com/purecuda/purecuda/driver/jitlink"
)

// Two pieces of PTX become one cubin, which [driver.Context.LoadModule] takes.
func Example() {
	library, err := jitlink.Open(jitlink.Config{})
	if err != nil {
		log.Fatal(err)
	}
	link, err := library.NewLink("-arch=sm_90")
	if err != nil {
		log.Fatal(err)
	}
	defer link.Close()
	for _, name := range []string{"kernel.ptx", "functions.ptx"} {
		if err := link.AddFile(jitlink.PTX, name); err != nil {
			log.Fatal(err)
		}
	}
	if err := link.Complete(); err != nil {
		log.Fatal(err) // with nvJitLink's own words
	}
	cubin, err := link.Cubin()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("kernel.cubin", cubin, 0o644); err != nil {
		log.Fatal(err)
	}
}
