/**
 * The rules of ARCHITECTURE.md for imports: which room may import which (read from its table "The rooms"), that adapters
 * are chosen in one place, which room may use which package, and that no files import each other in a circle.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

/**
 * The rooms that a room may import, by the table in ARCHITECTURE.md. A cell of its last column is a list of rooms, `–`
 * for none, `every room above` with or without `but …`, or `everything but the entry`.
 */
const parseRooms = (markdown: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rooms = new Map<string, ReadonlyArray<string>>()
  for (const [, room = "", cell = ""] of markdown.matchAll(/^\| `(\w+)\/` \|.*\| ([^|]+) \|$/gm)) {
    const above = [...rooms.keys()]
    const except = /^every room above but (.+)$/.exec(cell)?.[1]?.split(/, | and /) ?? []
    if (cell === "–") rooms.set(room, [])
    else if (cell === "everything but the entry" || cell.startsWith("every room above")) {
      rooms.set(
        room,
        above.filter((other) => !except.includes(other)),
      )
    } else rooms.set(room, cell.split(", "))
  }
  return rooms
}

const floors = parseRooms(fs.readFileSync(path.resolve(import.meta.dirname, "../ARCHITECTURE.md"), "utf8"))

/** What the files of `src` itself may import: the program what composes it, the library what is public. */
const entries: Record<string, ReadonlyArray<string>> = {
  // Of `cli`, what completes symbols: the rest of the program takes too long for a press of Tab.
  "bin.ts": ["compileCache.ts", "main.ts", "ownNode.ts", "cli"],
  "compileCache.ts": [],
  "ownNode.ts": [],
  "main.ts": ["app", "cli"],
  "index.ts": [
    "app",
    "base",
    "message",
    "disk",
    "code",
    "tool",
    "model",
    "forest",
    "agent",
    "index",
    "explore",
    "conversation",
    "toolbox",
    "provider",
    "config",
    "promise",
  ],
}

/** Packages that only some rooms may import; any room may import the others. */
const packages: ReadonlyArray<readonly [name: RegExp, rooms: ReadonlyArray<string>]> = [
  [/^(@google\/genai|@effect\/ai)/, ["provider"]],
  // Development dependencies, for benches and recordings.
  [/^(@anthropic-ai\/|openai$|ollama(\/|$))/, []],
  [/^@effect\/(cli|platform|platform-node)\b/, ["cli", "config", "server", "app", "main.ts"]],
  [/^(web-tree-sitter|@vscode\/tree-sitter-wasm)\b/, ["code"]],
  [/^undici$/, ["process"]],
  [/^node:sqlite$/, ["disk"]],
  // The entry starts itself on another Node, before anything can be loaded.
  [/^(node:)?child_process$/, ["process", "bin.ts"]],
  [/^smol-toml$/, ["config", "install"]],
  [/^jsonc-parser$/, ["install"]],
  [/^node-diff3$/, ["conversation"]],
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^@dagrejs\//, ["wiki"]],
  [/^(preact|@preact\/signals|@codemirror\/|@lezer\/|marked$|dompurify$)/, ["page"]],
]

/** What a service provides (`Clock`, `Random`, `Ids`, `Config`, a logger), and no file may use directly. */
const services = /\b(process\.env|Date\.now\(|new Date\(\)|Math\.random\(|randomUUID|console\.(log|info|error|debug)\()/

/**
 * Functions that hang if they are interrupted before their fibers have started: see `base/endWith` and `base/inParallel`.
 */
const races =
  /\bEffect\.(?:race(?:First|With|All)?|timeout(?:Option|Fail|FailCause|To)?)\(|\bStream\.merge\w*\(|\bconcurrency: (?:"unbounded"|"inherit"|[A-Z]|[2-9])/

/**
 * Locks of Effect that a fiber keeps for ever if it is interrupted while it takes them, and a cache that is built on one: see
 * `base/mutex`.
 */
const locks =
  /\b(?:unsafeMakeSemaphore|makeSemaphore|withPermits(?:IfAvailable)?|TSemaphore|PartitionedSemaphore|cachedFunction|RateLimiter|ScopedRef|RcRef|RcMap|LayerMap|KeyedPool)\b/

/**
 * Layers that are built at the same time. Where one of them fails, the others are interrupted, and whatever else needs a layer
 * that they had begun to build waits for it for ever, or is interrupted too.
 */
const parallelLayers = /\bLayer\.(?:merge(?:All)?\(|zipWith\(|provide(?:Merge)?\(\[)/

/** The targets of all imports: static, type-only, re-exporting and dynamic. */
const importsOf = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g), ([, target]) => target ?? "")

const roomOf = (file: string): string => file.split("/")[0] ?? ""

/** Private modules: those in `internal/` and of languages, and in the provider room those without a PascalCase name. */
const isInternal = (file: string): boolean =>
  file.includes("/internal/") || file.startsWith("code/languages/") || /^provider\/(?:.+\/)?[a-z][^/]*\.ts$/.test(file)

/** Adapters are in a folder named after their port: `forest/ForestStore/Sqlite.ts`. */
const isAdapter = (file: string): boolean => /^[^/]+\/(?:[^/]+\/)*[A-Z][^/]*\/[^/]+$/.test(file)

/** Rooms that compose a whole program, so that they may choose adapters: `promise` for code without Effect. */
const composers = ["app", "promise", "main.ts", "index.ts"]

/** Files of the commands that choose adapters and providers: the tables of commands, and the layers that they run on. */
const composesCommand = (file: string): boolean =>
  /^cli\/(?:layers\/\w+|(?:[\w-]+\/)?(?:commands|layer|\w+Layer))\.ts$/.test(file)

/** The rules that `file` breaks. Its path is relative to `src`. */
const violations = (file: string, source: string): ReadonlyArray<string> => {
  const room = roomOf(file)
  const wrong = (why: string) => `${file}: ${why}`
  // The page runs in a browser, where these are no services.
  const forbidden = room === "page" ? [] : [services, races, locks, parallelLayers]
  const [taken] = forbidden.flatMap((forbidden) => forbidden.exec(source)?.[0] ?? [])
  return [
    ...(taken === undefined ? [] : [wrong(`must not use ${taken}`)]),
    ...importsOf(source).flatMap((target) => {
      if (!target.startsWith(".")) {
        const rule = packages.find(([name]) => name.test(target))
        if (rule !== undefined && !rule[1].includes(room)) return [wrong(`must not import ${target}`)]
        return target === "effect" ? [wrong("imports the barrel of effect")] : []
      }
      const found = path.posix.join(path.posix.dirname(file), target)
      const other = roomOf(found)
      if (other === room) return []
      const below = [
        ...(floors.get(room) ?? []),
        ...(entries[file] ?? []),
        ...(composesCommand(file) ? ["provider"] : []),
      ]
      if (!below.includes(other)) return [wrong(`must not import ${found}`)]
      if (isInternal(found)) return [wrong(`must not import the internal ${found}`)]
      if (isAdapter(found) && !composers.includes(room) && !composesCommand(file))
        return [wrong(`must not choose the adapter ${found}`)]
      return []
    }),
  ]
}

const src = path.resolve(import.meta.dirname, "../src")
const files = fs
  .readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll(path.sep, "/"))

/** Leaves out the examples in docstrings, which import the package as users do. */
const withoutExamples = (source: string): string => source.replaceAll(/^[ \t]*\* ?```ts\n.*?^[ \t]*\* ?```$/gms, "")

const sources: ReadonlyMap<string, string> = new Map(
  files.map((file) => [file, withoutExamples(fs.readFileSync(path.join(src, file), "utf8"))]),
)

/**
 * Groups of files that import each other in a circle. Type-only imports count: in a circle of types, too, no file can be
 * understood, tested or moved without the others. So do dynamic ones. (Tarjan's strongly connected components.)
 */
const circles = (sources: ReadonlyMap<string, string>): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  const indices = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: Array<string> = []
  const visit = (file: string): number => {
    const index = indices.size
    indices.set(file, index)
    lowest.set(file, index)
    stack.push(file)
    for (const target of importsOf(sources.get(file) ?? "")) {
      if (!target.startsWith(".")) continue
      const other = path.posix.join(path.posix.dirname(file), target)
      if (!sources.has(other)) continue
      const low = !indices.has(other) ? visit(other) : stack.includes(other) ? (indices.get(other) ?? index) : index
      lowest.set(file, Math.min(lowest.get(file) ?? index, low))
    }
    if (lowest.get(file) !== index) return lowest.get(file) ?? index
    const members = stack.splice(stack.indexOf(file))
    if (members.length > 1) found.push(members.sort())
    return index
  }
  for (const file of sources.keys()) if (!indices.has(file)) visit(file)
  return found.sort()
}

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
