import { assert, describe, it } from "@effect/vitest"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import * as Units from "../../src/wiki/Units.ts"
import { isThorough } from "../thoroughness.ts"
import { file, project } from "./Project.fixture.ts"

const noHubs = { hubs: new Set<string>(), heads: new Map(), placeUses: new Map() }

describe("FileGraph.make", () => {
  const code = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts", "g.ts", "log.ts"]

  it("sums the uses between files of the code, and leaves out tests and uses of the file itself", () => {
    const graph = FileGraph.make(
      [file("a.ts"), file("b.ts"), file("a.test.ts", 1, "test"), file("package.json", 0)],
      [
        { from: "a.ts", to: "b.ts", count: 2 },
        { from: "a.ts", to: "a.ts", count: 7 },
        { from: "a.test.ts", to: "a.ts", count: 3 },
      ],
    )
    assert.deepStrictEqual(graph.files, ["a.ts", "b.ts"])
    assert.deepStrictEqual(
      Array.from(graph.uses, ([from, to]) => [from, ...to]),
      [["a.ts", ["b.ts", 2]]],
    )
    assert.strictEqual(graph.hubs.size, 0)
    assert.strictEqual(FileGraph.countUses(graph, ["a.ts"], new Set(["b.ts"])), 2)
  })

  it("takes the files of all classes if there is no code", () => {
    assert.deepStrictEqual(
      FileGraph.codeOf([file("b.test.ts", 1, "test"), file("README.md", 0), file("a.test.ts", 1, "test")]),
      [file("a.test.ts", 1, "test"), file("b.test.ts", 1, "test")],
    )
  })

  it("calls a file a hub if more than a quarter of the files use it, and several do", () => {
    const uses = code.filter((path) => path !== "log.ts").map((from) => ({ from, to: "log.ts", count: 1 }))
    const hubsOf = (users: number) =>
      Array.from(
        FileGraph.make(
          code.map((path) => file(path)),
          uses.slice(0, users),
        ).hubs,
      )
    assert.deepStrictEqual(hubsOf(FileGraph.MIN_USERS), ["log.ts"])
    assert.deepStrictEqual(hubsOf(FileGraph.MIN_USERS - 1), [])
  })
})

describe("Units.divide", () => {
  it("makes a unit of each small folder, and of each file of the root and of large folders", () => {
    const units = Units.divide(
      [
        file("main.ts"),
        file("setup.ts"),
        file("core/loader.ts", 30),
        file("core/plugin.ts", 20),
        file("view/text.ts", 8),
        file("view/colors.ts", 4),
        file("view/text.test.ts", 9, "test"),
        file("jobs/run.ts", 8),
      ],
      noHubs,
    )
    assert.deepStrictEqual(
      units.map(({ number, path, size }) => [number, path, size]),
      [
        [1, "core/loader.ts", 30],
        [2, "core/plugin.ts", 20],
        [3, "jobs/", 8],
        [4, "main.ts", 1],
        [5, "setup.ts", 1],
        [6, "view/", 12],
      ],
    )
    assert.deepStrictEqual(units[5]?.files, ["view/colors.ts", "view/text.ts"])
  })

  it("divides the folders of a project of few more finely, but none of few symbols", () => {
    const folders = ["core", "view", "jobs", "git", "task", "pkg"]
    const filesOf = (symbols: number) =>
      folders.flatMap((folder) => ["a", "b", "c"].map((name) => file(`${folder}/${name}.ts`, symbols)))
    const pathsOf = (symbols: number, ...more: ReadonlyArray<ReturnType<typeof file>>) =>
      Units.divide([...filesOf(symbols), ...more], noHubs).map(({ path }) => path)
    assert.lengthOf(pathsOf(20), 18)
    assert.deepStrictEqual(
      pathsOf(10),
      folders.toSorted().map((folder) => `${folder}/`),
    )
    const others = Array.from({ length: 14 }, (_, at) => file(`other${at}/a.ts`, 5))
    assert.include(pathsOf(20, ...others), "core/")
  })

  it("sets the hubs aside as helpers, below the folder that they share", () => {
    const units = Units.divide([file("src/a/a.ts"), file("src/b/b.ts"), file("src/b/log.ts"), file("src/fs.ts")], {
      ...noHubs,
      hubs: new Set(["src/b/log.ts", "src/fs.ts"]),
    })
    assert.deepStrictEqual(units.at(-1), {
      number: 3,
      path: "src/",
      files: ["src/b/log.ts", "src/fs.ts"],
      size: 2,
      isHelpers: true,
    })
  })

  it("keeps a large folder of very many files within bounds: the heaviest stand alone", () => {
    const units = Units.divide(
      Array.from({ length: 500 }, (_, n) => file(`lib/f${n}.ts`, n)),
      noHubs,
    )
    assert.isBelow(units.length, 30)
    assert.isTrue(units.some(({ path }) => path === "lib/f499.ts"))
    assert.isAbove(units.find(({ path }) => path === "lib/")?.files.length ?? 0, 400)
  })

  const count = isThorough ? 100_000 : 2_500

  it.each<[name: string, pathOf: (n: number) => string]>([
    ["in nested folders", (n) => `p${n % 50}/q${n % 700}/r${n % 20_000}/f${n}.ts`],
    ["each in a folder of its own", (n) => `p${n}/index.ts`],
    ["in many folders of several files", (n) => `p${n % (isThorough ? 1_900 : 500)}/f${n}.ts`],
  ])("joins the folders of a very large project to few enough units: %s", (_, pathOf) => {
    const files = Array.from({ length: count }, (_, n) => file(pathOf(n)))
    const units = Units.divide(files, noHubs)
    assert.isAtMost(units.length, Units.MAX_UNITS)
    assert.strictEqual(
      units.reduce((sum, { files }) => sum + files.length, 0),
      files.length,
    )
  })

  it("is nothing without files", () => {
    assert.deepStrictEqual(Units.divide([], noHubs), [])
  })

  it.prop(
    "has each file of the code in exactly one unit, in any order of the files",
    [project],
    ([{ files, uses }]) => {
      const graph = FileGraph.make(files, uses)
      const units = Units.divide(files, graph)
      assert.deepStrictEqual(units.flatMap(({ files }) => files).sort(), [...graph.files])
      assert.isAtMost(units.length, Units.MAX_UNITS)
      assert.deepStrictEqual(
        units.map(({ number }) => number),
        units.map((_, at) => at + 1),
      )
      assert.isTrue(units.every(({ files }) => files.length > 0))
      const reversed = files.toReversed()
      assert.deepStrictEqual(Units.divide(reversed, FileGraph.make(reversed, uses.toReversed())), units)
    },
  )
})
