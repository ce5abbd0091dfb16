//go:build !rtcalone

package main

// processes is how many processes measure the launches, one after the other: where a process has its code and data in memory moves
// the ratio of Go to C by up to two hundredths, for as long as it lives, so that one process says less than its many samples seem to. What Python measures
// differs by a third from one process to the next; some of those run between ours.
const processes = 8

// serviceProcesses is how many measure the compile service.
const serviceProcesses = 2

// pool is what several processes measured of the same: their figures are the means.
func pool(runs []launchResults) launchResults {
	all := runs[0]
	all.Enqueue = poolWays(runs, func(r *launchResults) []wayResult { return r.Enqueue })
	all.Wait = poolWays(runs, func(r *launchResults) []wayResult { return r.Wait })
	all.Compile = poolWays(runs, func(r *launchResults) []wayResult { return r.Compile })
	all.Across = poolWays(runs, func(r *launchResults) []wayResult { return r.Across })
	all.Replay = poolWays(runs, func(r *launchResults) []wayResult { return r.Replay })
	all.ReplayWait = poolWays(runs, func(r *launchResults) []wayResult { return r.ReplayWait })
	all.ReplayChanged = poolWays(runs, func(r *launchResults) []wayResult { return r.ReplayChanged })
	all.Peer = nil
	for i := range runs[0].Peer {
		all.Peer = append(all.Peer, poolWays(runs, func(r *launchResults) []wayResult { return r.Peer[i] }))
	}
	return all
}

func poolWays[R any](runs []R, of func(*R) []wayResult) []wayResult {
	var all []wayResult
	for i, w := range of(&runs[0]) {
		var times, alone []figure
		w.Beyond = 0
		for r := range runs {
			way := of(&runs[r])[i]
			times, alone = append(times, way.Time), append(alone, way.Alone)
			w.Beyond += way.Beyond / float64(len(runs))
			w.Allocs = max(w.Allocs, way.Allocs)
		}
		w.Time, w.Alone = mean(times), mean(alone)
		all = append(all, w)
	}
	return all
}

// poolService is pool for the compile service.
func poolService(runs []serviceResults) serviceResults {
	all := runs[0]
	all.Comparisons = nil
	for i, c := range runs[0].Comparisons {
		c.Ways = poolWays(runs, func(r *serviceResults) []wayResult { return r.Comparisons[i].Ways })
		all.Comparisons = append(all.Comparisons, c)
	}
	return all
}

// poolPython is pool for the runs of a script.
func poolPython(runs []pythonResult) pythonResult {
	all := runs[0]
	for _, f := range []func(*pythonResult) *figure{
		func(r *pythonResult) *figure { return &r.Enqueue },
		func(r *pythonResult) *figure { return &r.Wait },
		func(r *pythonResult) *figure { return &r.Replay },
		func(r *pythonResult) *figure { return &r.ReplayWait },
	} {
		var some []figure
		for i := range runs {
			some = append(some, *f(&runs[i]))
		}
		*f(&all) = mean(some)
	}
	return all
}

// mean is the mean of figures at both points, of all samples.
func mean(figures []figure) figure {
	var m figure
	for _, f := range figures {
		m.P10 += f.P10 / float64(len(figures))
		m.Median += f.Median / float64(len(figures))
		m.Samples += f.Samples
	}
	return m
}
