module github.com/purecuda/purecuda

go 1.25.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
