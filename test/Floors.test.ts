/**
 * The rules of ARCHITECTURE.md for imports: which room may import which (read from its table "The rooms"), that
 * adapters are chosen in one place, which room may use which package, and that no files import each other in a circle.
 */
import { assert, describe, it } from "@effect/vitest"
import { circles, entries, files, floors, parseRooms, roomOf, sources, violations } from "./utils/rooms.ts"

describe("The rooms of ARCHITECTURE.md", () => {
  it("are the folders of src", () => {
    const rooms = new Set(files.filter((file) => file.includes("/")).map(roomOf))
    assert.sameMembers([...floors.keys()], [...rooms])
    assert.sameMembers(
      files.filter((file) => !file.includes("/")),
      Object.keys(entries),
    )
  })

  it("import rooms that exist", () => {
    const named = [...floors.values(), ...Object.values(entries)].flat()
    assert.deepStrictEqual(
      named.filter((room) => !floors.has(room) && entries[room] === undefined),
      [],
    )
  })

  it("do not import themselves, not by way of another room either", () => {
    const reaches = (room: string): ReadonlyArray<string> =>
      (floors.get(room) ?? []).flatMap((below) => [below, ...reaches(below)])
    for (const room of floors.keys()) assert.notInclude(reaches(room), room)
  })

  it("are read from every form of the table's last column", () => {
    const table = [
      "| `a/` | A | – |",
      "| `b/` | B | a |",
      "| `c/` | C | every room above but a |",
      "| `d/` | D | every room above |",
    ]
    assert.deepStrictEqual(
      parseRooms(table.join("\n")),
      new Map([
        ["a", []],
        ["b", ["a"]],
        ["c", ["b"]],
        ["d", ["a", "b", "c"]],
      ]),
    )
  })
})

describe("The imports of every file", () => {
  it.each(files)("%s follows the rules", (file) => {
    assert.deepStrictEqual(violations(file, sources.get(file) ?? ""), [])
  })

  it("form no circle", () => {
    assert.deepStrictEqual(circles(sources), [])
  })

  it("form a circle if types or dynamic imports lead back", () => {
    const circle = new Map([
      ["x/A.ts", 'import { b } from "./B.ts"\nimport { d } from "./D.ts"'],
      ["x/B.ts", 'import type { C } from "./internal/c.ts"'],
      ["x/internal/c.ts", 'export * from "../A.ts"'],
      ["x/E.ts", 'import type { F } from "./F.ts"'],
      ["x/F.ts", 'const load = () => import("./E.ts")'],
      ["x/D.ts", 'import * as Effect from "effect/Effect"'],
    ])
    assert.deepStrictEqual(circles(circle), [
      ["x/A.ts", "x/B.ts", "x/internal/c.ts"],
      ["x/E.ts", "x/F.ts"],
    ])
  })

  it.each<readonly [why: string, file: string, source: string, violation: string]>([
    [
      "an import from above",
      "conversation/A.ts",
      'import { make } from "../provider/gemini/Gemini.ts"',
      "must not import provider/gemini/Gemini.ts",
    ],
    [
      "a dynamic one",
      "conversation/A.ts",
      'const load = () => import("../provider/gemini/Gemini.ts")',
      "must not import provider/gemini/Gemini.ts",
    ],
    ["a re-export", "model/A.ts", 'export * from "../agent/LoomEngine.ts"', "must not import agent/LoomEngine.ts"],
    ["a side effect", "disk/A.ts", 'import "../message/Ids.ts"', "must not import message/Ids.ts"],
    [
      "another room's internals",
      "agent/A.ts",
      'import { x } from "../model/internal/x.ts"',
      "must not import the internal model/internal/x.ts",
    ],
    [
      "the modules of a language",
      "index/A.ts",
      'import * as Go from "../code/languages/go/modules.ts"',
      "must not import the internal code/languages/go/modules.ts",
    ],
    [
      "a provider's internals",
      "app/A.ts",
      'import { x } from "../provider/gemini/request.ts"',
      "must not import the internal provider/gemini/request.ts",
    ],
    [
      "an adapter",
      "explore/A.ts",
      'import * as S from "../forest/ForestStore/Sqlite.ts"',
      "must not choose the adapter forest/ForestStore/Sqlite.ts",
    ],
    ["an SDK", "app/A.ts", 'const sdk = import(\n  "@google/genai"\n)', "must not import @google/genai"],
    [
      "the platform",
      "code/A.ts",
      'import * as Path from "@effect/platform/Path"',
      "must not import @effect/platform/Path",
    ],
    [
      "another place that starts processes",
      "cli/A.ts",
      'import { spawn } from "node:child_process"',
      "must not import node:child_process",
    ],
    ["the barrel", "code/A.ts", 'import { Effect } from "effect"', "imports the barrel of effect"],
    ["the clock", "code/A.ts", "const now = Date.now()", "must not use Date.now("],
    ["a race that hangs", "agent/A.ts", "const first = Effect.raceFirst(one, other)", "must not use Effect.raceFirst("],
    [
      "a timeout that hangs",
      "tool/A.ts",
      'Effect.timeoutOption(run, "1 second")',
      "must not use Effect.timeoutOption(",
    ],
    [
      "a lock that leaks",
      "conversation/A.ts",
      "const lock = yield* Effect.makeSemaphore(1)",
      "must not use makeSemaphore",
    ],
    ["a lock made at once", "agent/A.ts", "Effect.unsafeMakeSemaphore(1)", "must not use unsafeMakeSemaphore"],
    ["a lock of others", "conversation/A.ts", "lock.withPermits(1)(use)", "must not use withPermits"],
    [
      "a lock under another name",
      "server/A.ts",
      'import { makeSemaphore as lock } from "effect/Effect"',
      "must not use makeSemaphore",
    ],
    ["a transactional lock", "code/A.ts", 'import * as Lock from "effect/TSemaphore"', "must not use TSemaphore"],
    ["a cache that keeps interrupts", "app/A.ts", "Effect.cachedFunction(open)", "must not use cachedFunction"],
    ["a result that keeps an interrupt", "app/A.ts", "Effect.cached(open)", "must not use cached"],
    ["layers built at once", "app/A.ts", "Layer.mergeAll(one, other)", "must not use Layer.mergeAll("],
    ["provided layers built at once", "app/A.ts", "Layer.provide([one, other])", "must not use Layer.provide(["],
    ["a root file's reach", "bin.ts", 'await import("./app/Models.ts")', "must not import app/Models.ts"],
  ])("finds %s", (_, file, source, violation) => {
    assert.deepStrictEqual(violations(file, source), [`${file}: ${violation}`])
  })

  it("lets through what is allowed", () => {
    const source = [
      'import * as Effect from "effect/Effect"',
      'import type { Node } from "./Node.ts"',
      'import { helper } from "./internal/helper.ts"',
      'import * as Memory from "./ForestStore/Memory.ts"',
      'import { NodeId } from "../message/NodeId.ts"',
    ].join("\n")
    assert.deepStrictEqual(violations("forest/Forest.ts", source), [])
    assert.deepStrictEqual(violations("app/Models.ts", 'import * as S from "../forest/ForestStore/Sqlite.ts"'), [])
    assert.deepStrictEqual(violations("app/A.ts", 'import * as G from "../provider/gemini/Gemini.ts"'), [])
  })
})
