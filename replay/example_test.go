package replay_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"retrace/e2e/site"
	"retrace/replay"
	"retrace/replay/trace"
)

// A recording of a shop is replayed on a local copy of it.
func ExampleRun() {
	shop := httptest.NewServer(http.FileServerFS(site.FS))
	defer shop.Close()

	t, err := trace.Load("../e2e/traces/cart-voucher")
	if err != nil {
		log.Fatal(err) // names every problem of the recording
	}
	result, err := replay.Run(context.Background(), t, replay.Options{
		BaseURL: shop.URL,
		OnEvent: func(e replay.Event) {
			if e.Kind == replay.StepFinished && len(e.Step.Steps) > 0 {
				fmt.Println(e.Step.Verdict, e.Step.Title)
			}
		},
	})
	if err != nil {
		log.Fatal(err) // options that make no sense
	}
	fmt.Println(result.Verdict)
	// Output:
	// passed fill spinbutton "Quantity" with "5"
	// passed click button "Remove"
	// passed fill textbox "Voucher code" with "TIDE10"
	// passed click button "Apply voucher"
	// passed
}
