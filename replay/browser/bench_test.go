package browser

import (
	"context"
	"os"
	"testing"
)

func BenchmarkLaunch(b *testing.B) {
	if _, err := Find(""); err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		br, err := Launch(context.Background(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		br.Close()
		b.StartTimer()
	}
}

func BenchmarkContextAndPage(b *testing.B) {
	benchPage(b, func(c *Context, _ *Page) {
		fresh, err := c.b.NewContext(context.Background(), ContextOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fresh.NewPage(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		fresh.Close()
		b.StartTimer()
	})
}

func BenchmarkFrames(b *testing.B) {
	benchPage(b, func(_ *Context, p *Page) {
		if _, err := p.Frames(context.Background()); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkSettleNothing(b *testing.B) {
	benchPage(b, func(_ *Context, p *Page) {
		if _, err := p.Settle(context.Background(), p.Mark()); err != nil {
			b.Fatal(err)
		}
	})
}

func benchPage(b *testing.B, f func(c *Context, p *Page)) {
	if _, err := Find(""); err != nil && os.Getenv("CI") == "" {
		b.Skip(err)
	}
	br, err := Launch(context.Background(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	c, err := br.NewContext(context.Background(), ContextOptions{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := c.NewPage(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f(c, p)
	}
}
