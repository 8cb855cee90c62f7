// Package resolve finds the one live element that a recorded target means, or says exactly why there is none.
//
// A recording says little of a target: a role and a name, and mostly the line of the page text in which it stood. The one idea
// of the package is that a name alone proves nothing. [Find] first collects the candidates, the live elements whose role and
// name fit, at the highest tier that has any (see [Tier]). Then it asks of each whether it stands where the recorded one
// stood, and chooses only when one is clearly ahead; the only one that is left is asked the same. Acting on the wrong element is
// the one result that must never happen, so that doubt ends as [Ambiguous] or [Missing], with the reason.
//
// # Words
//
// The anchor is the recorded line of the target; its twins are the recorded lines of the same role and name. The box of an
// element is the largest part of the page that holds it and none of its equals: its row, its card, its form. What the box
// says first is what names the thing ("Brunner AG"), and so does a number that looks like a key ("Order 1001"); an element
// whose box says another thing there is a stranger, however much of the rest agrees, since a status or a town is said of
// many. Prices, dates and counts change, and are compared without their digits.
//
// # Evidence, in its order
//
// Frame and dialog rule out. Then the surroundings are weighed: the texts of the box, the named groups and the heading around
// it; what all equals share weighs little. Where equals remain, what follows decides: the text that appeared or vanished with
// the step, the address that it led to, the thing beside which a later step acts. Position decides last, and only while as many
// equals stand in the same surroundings as were recorded.
//
// The package is pure: it compares trees (package axtree) and never asks a browser, so that every decision can be kept as a
// file and made again (package sample).
package resolve
