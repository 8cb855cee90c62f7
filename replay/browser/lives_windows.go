package browser

// lives says no: Chrome locks its files here, so that copying them fails while it runs.
func lives(string) bool { return false }
