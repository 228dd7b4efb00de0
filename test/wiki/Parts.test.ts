import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { FileUses } from "../../src/index/IndexStore.ts"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import * as Parts from "../../src/wiki/Parts.ts"
import { file, project } from "./Project.fixture.ts"

const group = (files: ReadonlyArray<ReturnType<typeof file>>, uses: ReadonlyArray<FileUses> = []) =>
  Parts.group(files, FileGraph.make(files, uses))

const folder = (path: string, files: number, symbols = 3) =>
  Array.from({ length: files }, (_, n) => file(`${path}/f${n}.ts`, symbols))

describe("Parts.group", () => {
  it("names parts by their folders if these are few enough", () => {
    const names = ["chat", "code", "disk", "loom", "model", "page", "search", "tool", "wiki"]
    const parts = group(names.flatMap((name) => folder(`src/${name}`, 5)))
    assert.deepStrictEqual(
      parts.map(({ name, title }) => [name, title]),
      names.map((name) => [name, `src/${name}`]),
    )
    assert.deepStrictEqual(
      parts[0]?.files,
      [0, 1, 2, 3, 4].map((n) => `src/chat/f${n}.ts`),
    )
  })

  it("puts the parts with most code first, and those of a like size in order of their paths", () => {
    const sizes = { bin: 1, code: 3, disk: 3, loom: 3, model: 3, page: 5, search: 3, tool: 3, wiki: 4 }
    const parts = group(Object.entries(sizes).flatMap(([name, symbols]) => folder(name, 5, symbols)))
    assert.deepStrictEqual(
      parts.map(({ name }) => name),
      ["page", "wiki", "code", "disk", "loom", "model", "search", "tool", "bin"],
    )
  })

  it("joins the smallest folders with those around them if there are too many", () => {
    const names = Array.from({ length: 14 }, (_, n) => `room${String(n).padStart(2, "0")}`)
    const parts = group([
      ...names.flatMap((name) => folder(`src/${name}`, 5)),
      ...["a", "b", "c"].flatMap((name) => folder(`src/room03/${name}`, 1)),
    ])
    assert.strictEqual(parts.length, 14)
    assert.strictEqual(parts.find(({ name }) => name === "room03")?.files.length, 8)
  })

  it("groups the files of a flat project by their references, and names the heaviest", () => {
    const files = Array.from({ length: 24 }, (_, n) => file(`f${String(n).padStart(2, "0")}.ts`, n === 4 ? 4 : 3))
    const pairs = files.flatMap(({ path }, at) =>
      at % 4 === 0 ? [] : [{ from: path, to: files[at - (at % 4)]?.path ?? "", count: 20 }],
    )
    const parts = group(files, pairs)
    assert.strictEqual(parts.length, 6)
    const heavy = parts.find(({ files }) => files.includes("f04.ts"))
    assert.deepStrictEqual(heavy, {
      name: "f04",
      title: "f04, f05 and 2 more",
      line: "",
      files: ["f04.ts", "f05.ts", "f06.ts", "f07.ts"],
    })
  })

  it("names a part by the folder that it has most of, in place of some of its files", () => {
    const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]
    const cli = ["arguments", "command", "options", "parser", "usage"].map((name) => `app/cli/${name}.ts`)
    const json = ["interpret", "path", "tokens"].map((name) => `app/cli/json/${name}.ts`)
    const files = [
      ...names.flatMap((name) => folder(`app/${name}`, 4)),
      ...cli.map((path) => file(path, 3)),
      ...json.map((path) => file(path, 5)),
      file("setup.ts", 1),
    ]
    const all = [...cli, "setup.ts"]
    const uses = [
      ...all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to, count: 30 }))),
      ...json.flatMap((from) => json.filter((to) => to !== from).map((to) => ({ from, to, count: 30 }))),
    ]
    const parts = group(files, uses)
    const main = parts.find(({ files }) => files.includes("setup.ts"))
    assert.deepStrictEqual([main?.name, main?.title, main?.files], ["cli", "app/cli and setup", all.toSorted()])
    assert.strictEqual(new Set(parts.map(({ title }) => title)).size, parts.length)
  })

  it("makes a part of the helpers, and one part of a project of one file", () => {
    const files = [...folder("src/a", 20), ...folder("src/b", 20), file("src/log.ts")]
    const parts = group(
      files,
      files.slice(0, 30).map(({ path }) => ({ from: path, to: "src/log.ts", count: 1 })),
    )
    assert.deepStrictEqual(parts.at(-1), { name: "helpers", title: "Helpers", line: "", files: ["src/log.ts"] })
    assert.deepStrictEqual(group([file("main.ts")]), [{ name: "main", title: "main", line: "", files: ["main.ts"] }])
    assert.deepStrictEqual(group([]), [])
  })

  it.prop(
    "has each file of the code in exactly one part, within bounds, in any order of the files",
    [project],
    ([{ files, uses }]) => {
      const graph = FileGraph.make(files, uses)
      const parts = Parts.group(files, graph)
      assert.deepStrictEqual(parts.flatMap(({ files }) => files).sort(), [...graph.files])
      assert.isAtMost(parts.length, Parts.MAX_PARTS)
      if (graph.files.length >= 32) assert.isAtLeast(parts.length, Parts.MIN_PARTS)
      assert.isTrue(parts.every(({ files }) => files.length > 0))
      assert.strictEqual(new Set(parts.map(({ name }) => name)).size, parts.length)
      assert.isTrue(parts.every(({ name }) => /^[a-z0-9-]+$/.test(name) && name !== "index"))
      const reversed = files.toReversed()
      assert.deepStrictEqual(Parts.group(reversed, FileGraph.make(reversed, uses.toReversed())), parts)
    },
  )
})

describe("Parts.uniqueName", () => {
  it("uses the last name of a path, and as many folders before it as it needs", () => {
    assert.strictEqual(Parts.uniqueName("src/core/Loader.ts", new Set()), "loader")
    assert.strictEqual(Parts.uniqueName("src/core/loader/", new Set(["loader"])), "core-loader")
    assert.strictEqual(Parts.uniqueName("loader.ts", new Set(["loader", "part-loader"])), "part-loader-2")
  })

  it("keeps away from the start page, from flows and from names that Windows keeps", () => {
    const taken = new Set(["index"])
    assert.strictEqual(Parts.uniqueName("src/index.ts", taken), "src-index")
    assert.strictEqual(Parts.uniqueName("aux/", taken), "part-aux")
    assert.strictEqual(Parts.uniqueName("flow-start/", taken), "part-flow-start")
    assert.strictEqual(Parts.uniqueName("源/", taken), "root")
  })

  it.prop("is free and fit for a file, whatever the path", [fc.string(), fc.array(fc.string())], ([path, taken]) => {
    const name = Parts.uniqueName(path, new Set(taken))
    assert.match(name, /^[a-z0-9-]+$/)
    assert.notInclude(taken, name)
  })
})
