package replay

import "testing"

func TestWorking(t *testing.T) {
	for text, want := range map[string]bool{
		"Checking…": true, "Loading": true, "Saving your changes": true, "Please wait": true, "Uploading...": true,
		"正在查找…": true, "正在加载": true, "加载中": true, "请稍候": true,
		"正在编辑收货地址": false, "Editing the home address": false, "Loaded": false, "Saved": false, "3 checks": false, "": false,
	} {
		if got := working.MatchString(text); got != want {
			t.Errorf("working(%q) = %v", text, got)
		}
	}
}
