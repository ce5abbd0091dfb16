package settings_test

import (
	"fmt"
	"log"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/settings"
)

func Example() {
	s, err := settings.Parse([]byte(`
[compiler]
max_threads = 4
timeout_ms = 5000

[cache]
tiers = ["memory:?size=16MiB"]
`))
	if err != nil {
		log.Fatal(err)
	}
	config, err := s.Config(cache.OpenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	defer config.Store.Close()
	service := compile.NewService(config)
	defer service.Close()
	fmt.Println(config.MaxThreads, config.Timeout)
	// Output: 4 5s
}
