package trace_test

import (
	"errors"
	"fmt"
	"strings"

	"retrace/replay/trace"
)

func ExampleLoad() {
	t, err := trace.Load("testdata/bundles/cn-login-account")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range t.Steps[:2] {
		fmt.Println(s.ID, s.Op, s.Target.Role, s.Target.Name)
	}
	for _, p := range trace.Review(t)[:1] {
		fmt.Println("step", p.Step, p.Field, p.Text)
	}
	// Output:
	// 1 fill textbox 用户名
	// 2 fill textbox 密码
	// step 2 fill: value was not recorded (redacted): supply it as the secret "密码" or "2"
}

func ExampleErrors() {
	_, err := trace.Read(strings.NewReader(`{
		"version": 3,
		"entry": {"start_url": "http://shop.example/"},
		"states": [{"id": "s1", "url": "http://shop.example/", "body": ""}],
		"steps": [
			{"op": "fill", "id": 1, "state": "s1", "result": {"state": "s1"}, "target": {"ref": "e1"}},
			{"op": "click", "id": 2, "state": "s1", "result": {"state": "s7"}, "target": null}
		]
	}`), "-")
	var problems trace.Errors
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Println(p)
		}
	}
	// Output:
	// -: step 1: fill: value is missing
	// -: step 2: click: result.state is "s7", which is not in states
	// -: step 2: click: target is null, want an object
}
