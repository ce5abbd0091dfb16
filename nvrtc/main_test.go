package nvrtc_test

import "github.com/purecuda/purecuda/dl"

func dlVersion(major, minor int) dl.Version { return dl.Version{Major: major, Minor: minor} }
