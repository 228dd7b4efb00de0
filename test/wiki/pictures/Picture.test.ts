import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import * as Drawing from "../../../src/wiki/pictures/Drawing.ts"
import * as Picture from "../../../src/wiki/pictures/Picture.ts"
import * as PictureText from "../../../src/wiki/pictures/PictureText.ts"
import * as Svg from "../../../src/wiki/pictures/Svg.ts"
import { anyText } from "../../utils/anyText.ts"
import { file } from "../Project.fixture.ts"

const part = (name: string, ...files: ReadonlyArray<string>) => ({ name, title: `The ${name}`, files })
const parts = [part("loader", "load.ts", "run.ts"), part("git", "git.ts"), part("window", "view.ts")]

const graph = FileGraph.make(
  ["load.ts", "run.ts", "git.ts", "view.ts"].map((path) => file(path)),
  [
    { from: "load.ts", to: "git.ts", count: 2 },
    { from: "run.ts", to: "git.ts", count: 3 },
    { from: "run.ts", to: "load.ts", count: 9 },
    { from: "view.ts", to: "run.ts", count: 1 },
    { from: "git.ts", to: "view.ts", count: 1 },
  ],
)

describe("Picture", () => {
  it("shows which parts use which, by the sums of their files, and nothing within a part", () => {
    assert.deepStrictEqual(Picture.ofParts(parts, graph).arrows, [
      { from: 0, to: 1, count: 5 },
      { from: 1, to: 2, count: 1 },
      { from: 2, to: 0, count: 1 },
    ])
  })

  it("leaves out hubs, and says how many arrows are left out", () => {
    const many = Array.from({ length: 8 }, (_, n) => `f${n}.ts`)
    const uses = many.flatMap((from) => [
      ...many.map((to, n) => ({ from, to, count: n + 1 })),
      { from, to: "log.ts", count: 9 },
    ])
    const busy = FileGraph.make(
      [...many, "log.ts"].map((path) => file(path)),
      uses,
    )
    const small = [...many, "log.ts"].map((path) => part(path.slice(0, -3), path))
    const withHub = { ...busy, hubs: new Set(["log.ts"]) }
    const picture = Picture.ofParts(small, withHub)
    assert.strictEqual(picture.arrows.length, Picture.MAX_ARROWS)
    assert.strictEqual(picture.more, 8 * 7 - Picture.MAX_ARROWS)
    const hub = picture.boxes.findIndex(({ page }) => page === "log")
    assert.deepStrictEqual(
      picture.boxes.map(({ isHub }) => isHub),
      picture.boxes.map((_, at) => at === hub),
    )
    assert.isFalse(picture.arrows.some(({ from, to }) => from === hub || to === hub))
    const note = "most parts use it, so its arrows are left out"
    assert.include(PictureText.toMermaid(picture), `  n${hub}["The log<br/>${note}"]\n`)
    assert.include(PictureText.toOutline(picture), `The log: ${note}`)
    const drawing = Drawing.draw(picture)
    assert.deepStrictEqual(
      drawing.texts.map(({ text }) => text),
      [`Dashed: ${note}`],
    )
    assert.isAtMost(drawing.texts[0]?.y ?? Number.NaN, drawing.height)
    assert.lengthOf(Svg.toSvg(drawing, { id: "p", label: "x", linkOf: String }).match(/"4 3"/g) ?? [], 1)
  })

  it("shows the arrows of a part that has other files beside a hub", () => {
    const withHub = { ...graph, hubs: new Set(["run.ts"]) }
    const picture = Picture.ofParts(parts, withHub)
    assert.deepStrictEqual(picture.arrows, Picture.ofParts(parts, graph).arrows)
    assert.isFalse(picture.boxes.some(({ isHub }) => isHub))
  })

  it("shows the users of a hub on its own page, and the hub without an arrow on theirs", () => {
    const withHub = { ...graph, hubs: new Set(["git.ts"]) }
    assert.deepStrictEqual(Picture.ofPart("git", parts, withHub)?.arrows, [
      { from: 0, to: 1, count: 5 },
      { from: 1, to: 2, count: 1 },
    ])
    const picture = Picture.ofPart("loader", parts, withHub)
    assert.deepStrictEqual(
      picture?.boxes.map(({ isHub, page }) => [page, isHub]),
      [
        ["loader", false],
        ["git", true],
        ["window", false],
      ],
    )
    assert.deepStrictEqual(picture?.arrows, [{ from: 2, to: 0, count: 1 }])
  })

  it("prints the same Mermaid if counts change a little, and a thick arrow from eight uses on", () => {
    const withCount = (count: number) =>
      PictureText.toMermaid(
        Picture.ofParts(
          parts,
          FileGraph.make(
            ["load.ts", "git.ts", "view.ts"].map((path) => file(path)),
            [
              { from: "load.ts", to: "git.ts", count },
              { from: "git.ts", to: "view.ts", count: 4 },
            ],
          ),
        ),
      )
    assert.strictEqual(withCount(5), withCount(7))
    assert.include(withCount(5), "  n0 --> n1")
    assert.include(withCount(8), "  n0 ==> n1")
  })

  it("shows the neighbours of a part, and marks the part itself", () => {
    const picture = Picture.ofPart("git", parts, graph)
    assert.deepStrictEqual(
      picture?.boxes.map(({ isMain, page }) => [page, isMain]),
      [
        ["loader", false],
        ["git", true],
        ["window", false],
      ],
    )
    assert.deepStrictEqual(picture?.arrows, [
      { from: 0, to: 1, count: 5 },
      { from: 1, to: 2, count: 1 },
    ])
    assert.isUndefined(Picture.ofPart("none", parts, graph))
  })
})

describe("PictureText", () => {
  it("prints parts as Mermaid", () => {
    assert.strictEqual(
      PictureText.toMermaid(Picture.ofPart("git", parts, graph) ?? assert.fail()),
      [
        "flowchart LR",
        '  n0["The loader"]',
        '  n1(["The git"])',
        '  n2["The window"]',
        "  n0 --> n1",
        "  n1 --> n2",
      ].join("\n"),
    )
  })

  it.prop("has no label that could end its line, its quotes or a block", [anyText()], ([label]) => {
    const box = { label, page: undefined, isMain: false, isHub: false }
    const lines = PictureText.toMermaid({ kind: "graph", boxes: [box], arrows: [], more: 0 }).split("\n")
    assert.lengthOf(lines, 2)
    assert.match(lines[1] ?? "", /^ {2}n0\["(?:[\p{L}\p{M}\p{N} _./-]|#\d+;)*"\]$/u)
    assert.notMatch(lines[1] ?? "", /\bend\b/i)
  })

  it("prints an outline for a terminal", () => {
    assert.deepStrictEqual(PictureText.toOutline(Picture.ofParts(parts, graph)), [
      "The loader → The git (5)",
      "The git → The window (1)",
      "The window → The loader (1)",
    ])
  })
})

const arrows = fc
  .uniqueArray(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 25, selector: String })
  .chain((pairs) =>
    fc
      .array(fc.integer({ min: 1, max: 5_000 }), { minLength: pairs.length, maxLength: pairs.length })
      .map((counts) => pairs.flatMap(([from, to], at) => (from === to ? [] : [{ from, to, count: counts[at] ?? 1 }]))),
  )

describe("Drawing", () => {
  const boxes = Array.from({ length: 12 }, (_, n) => ({
    label: `Part ${n}`,
    page: undefined,
    isMain: false,
    isHub: false,
  }))

  it("puts a box below those that use it, and draws faintly what goes through another part as well", () => {
    const arrow = (from: number, to: number) => ({ from, to, count: 9 })
    const drawing = Drawing.draw({
      kind: "graph",
      boxes: boxes.slice(0, 3),
      arrows: [arrow(0, 1), arrow(1, 2), arrow(0, 2)],
      more: 0,
    })
    const rows = drawing.boxes.map(({ y }) => y)
    assert.deepStrictEqual(
      rows,
      rows.toSorted((one, other) => one - other),
    )
    assert.strictEqual(new Set(rows).size, 3)
    assert.deepStrictEqual(
      drawing.lines.map(({ kind }) => kind),
      ["arrow", "arrow", "indirect"],
    )
  })

  it("leaves out the folder that all paths begin with, in boxes and lanes, and keeps the whole name beside it", () => {
    const labels = ["lib/routing, lib/applications and 1 more", "lib/status", "Helpers"]
    const named = labels.map((label) => ({ label, page: undefined, isMain: false, isHub: false }))
    const texts = ["routing, applications and 1 more", "status", "Helpers"]
    const graph = Drawing.draw({ kind: "graph", boxes: named, arrows: [], more: 0 })
    assert.deepStrictEqual(
      graph.boxes.map(({ text }) => text),
      texts,
    )
    assert.deepStrictEqual(
      graph.boxes.map(({ label }) => label),
      labels,
    )
    const other = named.map((box, at) => (at === 1 ? { ...box, label: "tests/status" } : box))
    assert.strictEqual(
      Drawing.draw({ kind: "graph", boxes: other, arrows: [], more: 0 }).boxes[1]?.text,
      "tests/status",
    )
  })

  it.prop("places every box and line within the picture, and no box over another one", [arrows], ([arrows]) => {
    const drawing = Drawing.draw({ kind: "graph", boxes, arrows, more: 0 })
    assert.lengthOf(drawing.boxes, 12)
    assert.lengthOf(drawing.lines, arrows.length)
    for (const [at, one] of drawing.boxes.entries()) {
      assert.isTrue(one.x >= 0 && one.x + one.width <= drawing.width)
      assert.isTrue(one.y >= 0 && one.y + one.height <= drawing.height)
      for (const other of drawing.boxes.slice(at + 1)) {
        assert.isTrue(
          Math.abs(one.y - other.y) >= one.height ||
            (one.x < other.x ? one.x + one.width <= other.x : other.x + other.width <= one.x),
        )
      }
    }
    for (const { path } of drawing.lines) {
      for (const [, x, y] of path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
        assert.isTrue(Number(x) >= 0 && Number(x) <= drawing.width && Number(y) >= 0 && Number(y) <= drawing.height)
      }
    }
  })
})

describe("Svg.toSvg", () => {
  const options = { id: "p", label: "Parts", linkOf: (page: string) => `${page}.html` }

  it("links boxes to their pages, and names the counts of arrows", () => {
    const svg = Svg.toSvg(Drawing.draw(Picture.ofParts(parts, graph)), options)
    assert.include(svg, '<a href="git.html">')
    assert.include(svg, "<title>The loader uses The git 5 times</title>")
    assert.include(svg, "var(--wiki-line, currentColor)")
  })

  it("escapes what a name of a symbol may have", () => {
    const hostile = '</title><script>alert("1")</script>'
    const svg = Svg.toSvg(
      Drawing.draw({
        kind: "sequence",
        lanes: [{ label: hostile, page: undefined }],
        messages: [{ from: 0, to: 0, text: hostile, kind: "call" }],
      }),
      options,
    )
    assert.notInclude(svg, "<script")
    assert.include(svg, "&lt;script&gt;")
  })
})
