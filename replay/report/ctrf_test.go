package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrace/replay"
)

func TestCTRFGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ctrf.json")
	for range 2 { // the second time over the first
		if err := (CTRF{Version: "v1.2.3", ReportDir: "report"}).Write(file, everything()); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "ctrf.json", string(data))
	if err := os.WriteFile(file, []byte(`{"reportFormat":"CTRF"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (CTRF{}).Write(file, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("over a foreign file: %v, want %v", err, ErrForeign)
	}
}

// ctrfRules are the members that the format allows in each object (those with a ! are required): a type, "status", "texts"
// for an array of strings, "any", or the name of another object, in an array when it begins with "*".
var ctrfRules = map[string]map[string]string{
	"document":   {"reportFormat!": "string", "specVersion!": "string", "generatedBy": "string", "results!": "results"},
	"results":    {"tool!": "tool", "summary!": "summary", "tests!": "*test"},
	"tool":       {"name!": "string", "version": "string"},
	"summary":    {"tests!": "integer", "passed!": "integer", "failed!": "integer", "skipped!": "integer", "pending!": "integer", "other!": "integer", "flaky": "integer", "start!": "integer", "stop!": "integer", "duration": "integer"},
	"test":       {"name!": "string", "status!": "status", "duration!": "integer", "start": "integer", "stop": "integer", "message": "string", "trace": "string", "rawStatus": "string", "type": "string", "filePath": "string", "retries": "integer", "retryAttempts": "*attempt", "flaky": "boolean", "browser": "string", "attachments": "*attachment", "steps": "*step", "extra": "any"},
	"attempt":    {"attempt!": "integer", "status!": "status", "duration": "integer", "message": "string", "trace": "string", "start": "integer", "stop": "integer", "attachments": "*attachment"},
	"attachment": {"name!": "string", "contentType!": "string", "path!": "string"},
	"step":       {"name!": "string", "status!": "status", "extra": "any"},
}

func followsCTRF(value any, rule string) error {
	if item, list := strings.CutPrefix(rule, "*"); list {
		array, ok := value.([]any)
		if !ok {
			return fmt.Errorf("%v is not an array", value)
		}
		for i, v := range array {
			if err := followsCTRF(v, item); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	}
	ok := true
	switch rule {
	case "string":
		_, ok = value.(string)
	case "boolean":
		_, ok = value.(bool)
	case "integer":
		var n float64
		n, ok = value.(float64)
		ok = ok && n == float64(int64(n)) && n >= 0
	case "status":
		s, _ := value.(string)
		ok = slices.Contains([]string{"passed", "failed", "skipped", "pending", "other"}, s)
	case "any":
	default:
		return followsObject(value, rule)
	}
	if !ok {
		return fmt.Errorf("%v is not a %s", value, rule)
	}
	return nil
}

func followsObject(value any, kind string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is not an object", value)
	}
	rules := ctrfRules[kind]
	for name, v := range object {
		rule := rules[name] + rules[name+"!"]
		if rule == "" {
			return fmt.Errorf("%s has no member %s", kind, name)
		}
		if err := followsCTRF(v, rule); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name := range rules {
		if name, required := strings.CutSuffix(name, "!"); required && object[name] == nil {
			return fmt.Errorf("%s lacks %s", kind, name)
		}
	}
	return nil
}

func TestCTRFFollowsFormat(t *testing.T) {
	for _, results := range [][]*replay.Result{everything(), {hostileResult(), {}}, nil} {
		data, err := json.Marshal(CTRF{}.document(results))
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		if err := followsCTRF(v, "document"); err != nil {
			t.Errorf("%v\n%s", err, data)
		}
	}
	for _, bad := range []string{`{}`, `{"reportFormat":"CTRF","specVersion":"1.0.0","results":{"tool":{"name":"x"},"tests":[{"name":"a","status":"flaky","duration":1}]}}`} {
		var v any
		if err := json.Unmarshal([]byte(bad), &v); err != nil {
			t.Fatal(err)
		}
		if followsCTRF(v, "document") == nil {
			t.Errorf("the check accepts %s", bad)
		}
	}
}
