package compile

import (
	"syscall"
	"time"
)

func changed(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctimespec.Sec, s.Ctimespec.Nsec) }
