package replay

import (
	"context"
	"regexp"
	"slices"
	"time"

	"retrace/resolve"
)

// Times of the end of a run.
const (
	lastQuiet = 300 * time.Millisecond // the page stands still for so long
	lastShown = time.Second            // or so long after it has shown the result, since it may take it back
	lastLimit = 2 * time.Second        // and is waited for at most so long
	busyLimit = 5 * time.Second        // or so long while it says that it is at work
	lastPause = 50 * time.Millisecond
)

// working matches texts by which a page says that it is not done.
var working = regexp.MustCompile(`(?i)(?:…|\.\.\.)$|^(?:loading|saving|checking|sending|please wait|processing|uploading)\b|正在(?:加载|查找|查询|搜索|处理|提交|保存|检查|上传|下载|发送|登录|刷新)|(?:加载|处理|提交|保存|搜索)中|请稍[候等]`)

// linger lets the page finish what the last step set off, as a person does who looks at the result before closing the
// window: until it stands still and has no request under way.
func (r *runner) linger(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, busyLimit)
	defer cancel()
	began, since := time.Now(), time.Now()
	still := lastQuiet
	if r.shown != nil {
		still = lastShown
	}
	var last uint64
	watch := watchStirs(r.page)
	for {
		turn := time.Now()
		v, err := r.glance(ctx, r.last)
		if err != nil {
			return
		}
		now := time.Now()
		if p := v.fingerprint(); p != last {
			last, since = p, now
		}
		busy := r.atWork(v)
		if !busy && (now.Sub(since) >= still && r.traffic(v.page).open() == 0 || now.Sub(began) > lastLimit) {
			return
		}
		// The page is looked at when something happens there, and at the end.
		rest := still - now.Sub(since)
		if busy || rest <= 0 {
			rest = idleLook
		}
		watch.after(ctx, turn, lastPause, max(rest, lastPause))
	}
}

// atWork reports whether the page shows, since the last action, that it is busy.
func (r *runner) atWork(v *view) bool {
	if v.tree == nil {
		return slices.ContainsFunc(v.probe.Messages, working.MatchString)
	}
	old := map[string]bool{}
	if r.acted != nil && r.acted.tree != nil {
		for _, n := range r.acted.tree.Nodes {
			old[resolve.Normalise(n.Name)] = true
		}
	}
	for _, n := range v.tree.Nodes {
		name := resolve.Normalise(n.Name)
		if n.Role == "StaticText" && !old[name] && working.MatchString(n.Name) {
			return true
		}
	}
	return false
}
