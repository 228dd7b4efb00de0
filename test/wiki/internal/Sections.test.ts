import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Sections from "../../../src/wiki/internal/Sections.ts"
import * as Places from "../../../src/wiki/Places.ts"

const path = "core.py"

const usesOf = (...all: ReadonlyArray<readonly [from: string, to: string, count: number]>) => {
  const uses = new Map<string, Map<string, number>>()
  for (const [from, to, count] of all) {
    const key = Places.keyOf(path, from)
    uses.set(key, (uses.get(key) ?? new Map()).set(Places.keyOf(path, to), count))
  }
  return uses
}

const classes = [
  { name: "helper", weight: 1 },
  { name: "Context", weight: 30 },
  { name: "Command", weight: 25 },
  { name: "Group", weight: 15 },
  { name: "Parameter", weight: 25 },
  { name: "Option", weight: 15 },
  { name: "LIMIT", weight: 0 },
]

const uses = usesOf(
  ["Command", "Context", 20],
  ["Group", "Command", 9],
  ["Option", "Parameter", 9],
  ["Parameter", "helper", 3],
)

describe("Sections.divide", () => {
  it("puts what uses each other together, and leaves apart what can stand alone", () => {
    assert.deepStrictEqual(Sections.divide(path, classes, uses, 0.24), [
      ["helper", "Parameter", "Option", "LIMIT"],
      ["Context"],
      ["Command", "Group"],
    ])
  })

  it("keeps the order of the file if nothing is resolved", () => {
    const sections = Sections.divide(path, classes, new Map(), 0.24)
    assert.isAbove(sections.length, 1)
    assert.deepStrictEqual(
      sections.flat(),
      classes.map(({ name }) => name),
    )
  })

  it("leaves a file as it is if it is small, or has one class for nearly everything", () => {
    assert.lengthOf(Sections.divide(path, classes, uses, 0.05), 1)
    const one = [
      { name: "Context", weight: 90 },
      { name: "helper", weight: 10 },
    ]
    assert.lengthOf(Sections.divide(path, one, uses, 0.5), 1)
    assert.lengthOf(Sections.divide(path, [], uses, 0.5), 1)
    assert.isTrue(Sections.canDivide(classes, 200))
    assert.isFalse(Sections.canDivide(classes, 400), "a list of fields")
  })

  it("divides a file of a thousand functions", () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({ name: `f${at}`, weight: 1 }))
    const sections = Sections.divide(path, many, new Map(), 1)
    assert.lengthOf(sections, 8)
    assert.isBelow(Math.max(...sections.map((each) => each.length)), 250)
  })

  it.prop(
    "has each symbol in exactly one section",
    [
      fc.array(fc.nat(30), { maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(39), fc.nat(39), fc.integer({ min: 1, max: 9 }))),
    ],
    ([weights, links]) => {
      const heads = weights.map((weight, at) => ({ name: `f${at}`, weight }))
      const sections = Sections.divide(
        path,
        heads,
        usesOf(...links.map(([from, to, count]) => [`f${from}`, `f${to}`, count] as const)),
        0.5,
      )
      assert.deepStrictEqual(sections.flat().sort(), heads.map(({ name }) => name).sort())
    },
  )
})
