package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Item is something to do: a bundle of files as bytes, and what is to be done with it. Both mean something only to those who
// submit and work.
type Item struct {
	Name   string // for people
	Bundle []byte
	Spec   json.RawMessage
}

// Job is an item in a queue.
type Job struct {
	Batch  string          `json:"batch"`
	Number int             `json:"number"` // in the batch, from 0
	Name   string          `json:"name"`
	Bundle string          `json:"bundle"` // object with the bundle
	Spec   json.RawMessage `json:"spec"`
	// Delivery counts the workers that got the job, from 1. It is set for those who work.
	Delivery int `json:"-"`
}

// key is the job's key in the bucket of outcomes, and its id.
func (j Job) key() string { return fmt.Sprintf("%s.%d", j.Batch, j.Number) }

// Outcome is what became of a job.
type Outcome struct {
	Job Job
	// Result and Files are what the worker gave; nil when the job was set aside.
	Result, Files []byte
	// Worker is who did it, Delivery how many had been given it by then.
	Worker   string
	Delivery int
	// SetAside says why nobody did it: it was given to too many workers, and none came to an end.
	SetAside string
}

// record is an outcome in the bucket of outcomes.
type record struct {
	Result   string    `json:"result,omitempty"` // objects
	Files    string    `json:"files,omitempty"`
	Worker   string    `json:"worker"`
	Delivery int       `json:"delivery"`
	SetAside string    `json:"set_aside,omitempty"`
	Name     string    `json:"name"`
	At       time.Time `json:"at"`
}

// manifest says what a batch is, so that the same name cannot stand for two.
type manifest struct {
	Jobs   int    `json:"jobs"`
	Digest string `json:"digest"` // of all jobs
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
