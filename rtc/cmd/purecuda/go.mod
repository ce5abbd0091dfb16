module github.com/purecuda/purecuda/rtc/cmd/purecuda

go 1.26.0

require (
	github.com/purecuda/purecuda v0.0.0
	github.com/purecuda/purecuda/rtc/cache/rediscache v0.0.0
	github.com/redis/go-redis/v9 v9.23.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.48.0 // indirect
)

replace (
	github.com/purecuda/purecuda => ../../..
	github.com/purecuda/purecuda/rtc/cache/rediscache => ../../cache/rediscache
)
