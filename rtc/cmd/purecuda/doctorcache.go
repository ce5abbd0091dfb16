package main

import (
	"context"
	"path/filepath"

	"github.com/purecuda/purecuda/rtc/cache"
)

// kept is the cache that programs have which name none.
type kept struct {
	Folder  string `json:"folder,omitempty"`
	Off     bool   `json:"off,omitempty"`
	Entries int    `json:"entries"`
	Bytes   int64  `json:"bytes"`
	Problem string `json:"problem,omitempty"`
}

// lookAtCache asks what rtc's default service has. A cache that can't be used
// stops nothing.
func (d *diagnosis) lookAtCache(ctx context.Context) {
	disk := cache.Default(cache.OpenConfig{})
	if disk == nil {
		d.Cache.Off = true
		return
	}
	defer disk.Close()
	d.Cache.Folder = redact(disk.Dir())
	u, err := measure(ctx, disk, disk.Dir())
	d.Cache.Entries, d.Cache.Bytes, d.Cache.Problem = u.Entries, u.Bytes, redact(u.Problem)
	if err != nil || u.Problem != "" {
		d.note("kernels are compiled anew in each process, for the cache can't be used: %s", d.Cache.Problem)
		if !filepath.IsAbs(disk.Dir()) {
			d.Cache.Folder = ""
		}
	}
}
