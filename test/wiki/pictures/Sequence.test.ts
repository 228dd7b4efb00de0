import { assert, describe, it } from "@effect/vitest"
import type { Kind, StepCalls } from "../../../src/wiki/flows/StepCalls.ts"
import type { Citation, Page } from "../../../src/wiki/Page.ts"
import * as Drawing from "../../../src/wiki/pictures/Drawing.ts"
import * as PictureText from "../../../src/wiki/pictures/PictureText.ts"
import * as Sequence from "../../../src/wiki/pictures/Sequence.ts"
import * as Svg from "../../../src/wiki/pictures/Svg.ts"

const parts = [
  { name: "loader", title: "The loader", files: ["load.ts", "run.ts"] },
  { name: "git", title: "The git", files: ["git.ts"] },
]

const citation = (place: string): Citation => {
  const [path = "", symbol] = place.split(":")
  return { path, ...(symbol !== undefined && { symbol }) }
}

const step = (text: string, ...cited: ReadonlyArray<string>): Page["sections"][number]["blocks"][number] => [
  { text, kind: "claim", author: "model", citations: cited.map(citation) },
]

const flowOf = (...steps: ReadonlyArray<ReadonlyArray<string>>): Page => ({
  name: "flow-run",
  kind: "flow",
  title: "What run does",
  sections: [{ title: "Steps", form: "steps", blocks: steps.map((cited) => step("Does something.", ...cited)) }],
})

/** Calls as `run.ts:run git.ts:clone`, from the caller to the callee. */
const knows =
  (calls: Readonly<Record<string, Kind>>): StepCalls =>
  (caller, callee) =>
    calls[`${caller.path}:${caller.symbol} ${callee.path}:${callee.symbol}`]

const arrowsOf = (page: Page, calls: Readonly<Record<string, Kind>>) =>
  Sequence.ofFlow(page, parts, knows(calls))?.messages.map(
    ({ from, kind, text, to }) => `${from} ${kind} ${to}: ${text}`,
  )

describe("Sequence.ofFlow", () => {
  it("draws the call of a step between the parts, and nothing between steps that follow each other", () => {
    const page = flowOf(
      ["load.ts:load", "run.ts:run"],
      ["git.ts:Git.clone", "load.ts:load"],
      ["git.ts:Git.log", "load.ts:load"],
      ["log.ts"],
    )
    const picture = Sequence.ofFlow(
      page,
      parts,
      knows({ "run.ts:run load.ts:load": "call", "load.ts:load git.ts:Git.clone": "given" }),
    )
    assert.deepStrictEqual(picture, {
      kind: "sequence",
      lanes: [
        { label: "The loader", page: "loader" },
        { label: "The git", page: "git" },
        { label: "log.ts", page: undefined },
      ],
      messages: [
        { from: 0, to: 0, text: "load", kind: "call" },
        { from: 0, to: 1, text: "Git.clone", kind: "given" },
        { from: 1, to: 1, text: "Git.log", kind: "apart" },
        { from: 2, to: 2, text: "log.ts", kind: "apart" },
      ],
    })
    assert.isUndefined(Sequence.ofFlow({ ...page, sections: [] }, parts, () => undefined))
  })

  it("turns an arrow round if a step cites the caller first", () => {
    assert.deepStrictEqual(arrowsOf(flowOf(["run.ts:run", "git.ts:clone"]), { "run.ts:run git.ts:clone": "call" }), [
      "0 call 1: clone",
    ])
  })

  it("draws a call that another symbol of the step passes on", () => {
    const page = flowOf(["git.ts:clone", "run.ts:run", "load.ts:pass"])
    const calls = { "run.ts:run load.ts:pass": "later", "load.ts:pass git.ts:clone": "call" } as const
    assert.deepStrictEqual(arrowsOf(page, calls), ["0 later 1: clone"])
    assert.deepStrictEqual(arrowsOf(page, { "run.ts:run load.ts:pass": "later" }), ["0 apart 0: clone"])
  })

  it("finds the caller of a step that cites none among the steps before, and draws none for what a symbol does itself", () => {
    const page = flowOf(["run.ts:run"], ["load.ts:load", "run.ts:run"], ["git.ts:clone"], ["git.ts:clone"])
    const calls = { "run.ts:run load.ts:load": "call", "run.ts:run git.ts:clone": "call" } as const
    assert.deepStrictEqual(arrowsOf(page, calls), [
      "0 own 0: run",
      "0 call 0: load",
      "0 call 1: clone",
      "1 own 1: clone",
    ])
  })
})

const page = flowOf(
  ["run.ts:run"],
  ["git.ts:clone", "run.ts:run"],
  ["git.ts:fetch", "run.ts:run"],
  ["git.ts:watch", "run.ts:run"],
  ["log.ts:log", "run.ts:run"],
)
const picture =
  Sequence.ofFlow(
    page,
    parts,
    knows({
      "run.ts:run git.ts:clone": "call",
      "run.ts:run git.ts:fetch": "given",
      "run.ts:run git.ts:watch": "later",
    }),
  ) ?? assert.fail()

describe("a flow as a picture", () => {
  it("has an arrow in Mermaid for each call, and a note for what is none", () => {
    assert.strictEqual(
      PictureText.toMermaid(picture),
      [
        "sequenceDiagram",
        "  participant p0 as The loader",
        "  participant p1 as The git",
        "  participant p2 as log.ts",
        "  Note over p0: run",
        "  p0->>p1: clone",
        "  p0-->>p1: fetch",
        "  p0-)p1: watch",
        "  Note over p2: log #40;no call to it is resolved#41;",
      ].join("\n"),
    )
  })

  it("says in a terminal how a call is made, and that none is resolved", () => {
    assert.deepStrictEqual(PictureText.toOutline(picture), [
      "1. The loader: run",
      "2. The loader → The git: clone",
      "3. The loader → The git: fetch (through what it is given)",
      "4. The loader → The git: watch (later)",
      "5. log.ts: log (no call to it is resolved)",
    ])
  })

  it("shortens a name by what it is in, and a title at its end, but never its count", () => {
    const label = "The loader of all the plugins of a user, its queue and 2 more"
    const drawing = Drawing.draw({
      kind: "sequence",
      lanes: [label, "authentication, convertors and 2 more", "The loader of all plugins of this user"].map(
        (label) => ({ label, page: undefined }),
      ),
      messages: [
        { from: 0, to: 0, kind: "call", text: "GuzzleHttp.Handler.HandlerStack.__invoke" },
        { from: 0, to: 0, kind: "call", text: "anExtraordinarilyLongNameOfAFunction" },
      ],
    })
    assert.deepStrictEqual(
      [...drawing.boxes, ...drawing.texts].map(({ text }) => text),
      [
        "The loader of all th… and 3 more",
        "authentication and 3 more",
        "The loader of all plugins of th…",
        "1. …HandlerStack.__invoke",
        "2. …dinarilyLongNameOfAFunction",
      ],
    )
  })

  it("has room for the label of each lane, beside the next one", () => {
    const labels = ["authentication, middleware and 2 more", "Cart", "The loader of all the plugins", "Shop"]
    const { boxes, lines, width } = Drawing.draw({
      kind: "sequence",
      lanes: labels.map((label) => ({ label, page: undefined })),
      messages: [{ from: 0, to: 3, kind: "call", text: "load" }],
    })
    const lanes = lines.filter(({ kind }) => kind === "lane")
    for (const [at, box] of boxes.entries()) {
      // The letters of the usual faces are a little under seven pixels wide.
      assert.isAtLeast(box.width, 6.8 * box.text.length)
      assert.isAtMost(box.x + box.width, (boxes[at + 1]?.x ?? width) - 1)
      assert.match(lanes[at]?.path ?? "", new RegExp(`^M${box.x + Math.round(box.width / 2)},`))
    }
    // A name that is no list of them is whole.
    assert.include(
      boxes.map(({ text }) => text),
      "The loader of all the plugins",
    )
  })

  it("has a line in SVG for each call alone, dashed if it is not made by name, and says what the marks mean", () => {
    const drawing = Drawing.draw(picture)
    assert.deepStrictEqual(
      drawing.lines.map(({ kind, title }) => [kind, title]),
      [
        ["lane", undefined],
        ["lane", undefined],
        ["lane", undefined],
        ["arrow", "The loader calls clone of The git"],
        ["dashed", "The loader calls fetch of The git, through what it is given"],
        ["dashed", "The loader calls watch of The git, later"],
      ],
    )
    assert.deepStrictEqual(
      drawing.texts.map(({ text }) => text),
      [
        "1. run",
        "2. clone",
        "3. fetch",
        "4. watch",
        "5. ○ log",
        "Dashed: called through what the code is given, or later",
        "○: no call to it is resolved",
      ],
    )
    for (const { y } of drawing.texts) assert.isAtMost(y, drawing.height)
    const svg = Svg.toSvg(drawing, { id: "p", label: "x", linkOf: String })
    assert.lengthOf(svg.match(/marker-end/g) ?? [], 3)
    assert.lengthOf(svg.match(/"6 4"/g) ?? [], 2)
  })
})
