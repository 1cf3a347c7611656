package compat

// forward sends what src yields, converted, to dst, and closes dst after it.
//
// Once closed is ready, which says that src is about to be closed, nothing waits
// to be taken from dst; when the first would have to, the rest is dropped. So a
// reader that has gone away holds no goroutine for ever.
func forward[S, D, E any](dst chan<- D, src <-chan S, closed <-chan E, convert func(S) D) {
	defer close(dst)
	for s := range src {
		if !offer(dst, convert(s), closed) {
			for range src {
			}
		}
	}
}

func offer[D, E any](dst chan<- D, d D, closed <-chan E) bool {
	select {
	case dst <- d: // where there is room, closed does not matter
		return true
	default:
	}
	select {
	case dst <- d:
		return true
	case <-closed:
		return false
	}
}
