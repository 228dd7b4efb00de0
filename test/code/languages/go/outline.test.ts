import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `//go:build linux

// Package store keeps things.
package store

import "fmt"
import (
	m "math"
	_ "example.com/x/y"
)

const Answer, hidden = 42, 1
const (
	// One is first.
	One = iota
	two
)

var (
	Default Store
	handler = func(a int) error {
		return nil
	}
)
var _ Keeper = (*Store)(nil)

// Store keeps.
//
//	with an example
type Store struct {
	// Size in bytes.
	Size, used int
	*Embedded
	pkg.Other
	inner struct{ deep int }
}

type (
	Keeper interface {
		Keep(a string) error
		fmt.Stringer
	}
	Alias = Store
	Func  func(int) int
	Pair[K comparable] struct{}
	local struct{ Field int }
)

// Keep does.
func (s *Store) Keep(a string) (err error) {
	const inside = 1
	return nil
}
func (p Pair[K]) swap() {}
func (l local) Method() {}
func New[T any](options ...T) *Store { return nil }
func init() {}
`

withSymbols("the outline of Go", (it) => {
  it.effect("has types with their fields and methods, functions and groups of bindings", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.go", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module store 4-4",
        "+ constant Answer 12-12",
        "- constant hidden 12-12",
        "+ constant One 15-15",
        "- constant two 16-16",
        "+ variable Default 20-20",
        "- function handler 21-23",
        "+ class Store 30-36",
        "+ field Store.Size 32-32",
        "- field Store.used 32-32",
        "+ field Store.Embedded 33-33",
        "+ field Store.Other 34-34",
        "- field Store.inner 35-35",
        "+ interface Keeper 39-42",
        "+ method Keeper.Keep 40-40",
        "+ type Alias 43-43",
        "+ type Func 44-44",
        "+ class Pair 45-45",
        "- class local 46-46",
        "- field local.Field 46-46",
        "+ method Store.Keep 50-53",
        "- method Pair.swap 54-54",
        "- method local.Method 55-55",
        "+ function New 56-56",
        "- function init 57-57",
      ])
      assert.deepStrictEqual(outline.imports, ["fmt", "math", "example.com/x/y"])
    }),
  )

  it.effect("has docs, and the keyword of its group in each signature", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.go", source)
      assert.deepStrictEqual(docs(outline), {
        store: "Package store keeps things.",
        One: "One is first.",
        Store: "Store keeps.\n\nwith an example",
        "Store.Size": "Size in bytes.",
        "Store.used": "Size in bytes.",
        "Store.Keep": "Keep does.",
      })
      assert.deepStrictEqual(signatures(outline), {
        store: "package store",
        Answer: "const Answer, hidden = 42, 1",
        hidden: "const Answer, hidden = 42, 1",
        One: "const One = iota",
        two: "const two",
        Default: "var Default Store",
        handler: "var handler = func(a int) error",
        Store: "type Store struct",
        "Store.Size": "Size, used int",
        "Store.used": "Size, used int",
        "Store.Embedded": "*Embedded",
        "Store.Other": "pkg.Other",
        "Store.inner": "inner struct{ deep int }",
        Keeper: "type Keeper interface",
        "Keeper.Keep": "Keep(a string) error",
        Alias: "type Alias = Store",
        Func: "type Func func(int) int",
        Pair: "type Pair[K comparable] struct",
        local: "type local struct",
        "local.Field": "Field int",
        "Store.Keep": "func (s *Store) Keep(a string) (err error)",
        "Pair.swap": "func (p Pair[K]) swap()",
        "local.Method": "func (l local) Method()",
        New: "func New[T any](options ...T) *Store",
        init: "func init()",
      })
    }),
  )
})
