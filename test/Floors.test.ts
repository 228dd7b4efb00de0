/** Which room may import what. The tables are the architecture (DESIGN, "Rooms and floors"). */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

/** Rooms below a room. */
const floors: Record<string, ReadonlyArray<string>> = {
  message: [],
  disk: [],
  process: ["message"],
  code: ["disk"],
  tool: ["message"],
  model: ["message", "tool"],
  forest: ["message", "disk"],
  loom: ["message", "tool", "model", "forest"],
  search: ["disk", "code"],
  indexing: ["message", "tool", "model", "code", "disk", "search", "forest", "loom"],
  chat: ["message", "tool", "model", "code", "forest", "loom"],
  toolbox: ["message", "tool", "code", "disk", "forest", "indexing", "chat"],
  session: ["message", "disk", "tool", "model", "code", "forest", "loom", "indexing", "chat", "toolbox"],
  provider: ["message", "process", "tool", "model"],
  mcp: ["message", "tool", "code", "forest", "indexing"],
  config: ["message", "model", "code"],
  promise: [
    "message",
    "disk",
    "process",
    "code",
    "tool",
    "model",
    "forest",
    "loom",
    "search",
    "indexing",
    "chat",
    "toolbox",
    "provider",
    "mcp",
    "config",
  ],
  server: ["message", "model", "forest", "loom", "chat", "indexing"],
  cli: [
    "message",
    "disk",
    "process",
    "code",
    "tool",
    "model",
    "forest",
    "loom",
    "search",
    "indexing",
    "chat",
    "toolbox",
    "session",
    "mcp",
    "config",
    "server",
  ],
  app: [
    "message",
    "disk",
    "process",
    "code",
    "tool",
    "model",
    "forest",
    "loom",
    "search",
    "indexing",
    "chat",
    "toolbox",
    "session",
    "provider",
    "mcp",
    "config",
    "promise",
    "server",
    "cli",
  ],
}

/** Where `src` itself may look: the program into what composes it, the library into what is public. */
const entries: Record<string, ReadonlyArray<string>> = {
  "bin.ts": ["compileCache.ts", "main.ts"],
  "compileCache.ts": [],
  "main.ts": ["app", "cli"],
  "index.ts": [
    "app",
    "message",
    "disk",
    "code",
    "tool",
    "model",
    "forest",
    "loom",
    "indexing",
    "chat",
    "toolbox",
    "provider",
    "mcp",
    "config",
    "promise",
  ],
}

/** Packages that only some rooms may know; the others are free. */
const packages: ReadonlyArray<readonly [name: RegExp, rooms: ReadonlyArray<string>]> = [
  [/^(@google\/genai|@effect\/ai)/, ["provider"]],
  // Development dependencies, for benches and recordings.
  [/^(@anthropic-ai\/|openai$|ollama(\/|$))/, []],
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^@effect\/(cli|platform|platform-node)\b/, ["cli", "server", "config", "app", "main.ts"]],
  [/^(web-tree-sitter|@vscode\/tree-sitter-wasm)\b/, ["code"]],
  [/^node:sqlite$/, ["disk"]],
  // The entry starts itself on another Node, before anything can be loaded.
  [/^(node:)?child_process$/, ["process", "bin.ts"]],
  [/^smol-toml$/, ["config"]],
  [/^node-diff3$/, ["chat"]],
]

/** What a service gives (`Clock`, `Random`, `Ids`, `Config`, a logger), and no room may take for itself. */
const services = /\b(process\.env|Date\.now\(|new Date\(\)|Math\.random\(|randomUUID|console\.(log|info|error|debug)\()/

/** Static, dynamic and re-exporting ones, in order. */
const importsOf = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g), ([, target]) => target ?? "")

const roomOf = (file: string): string => file.split("/")[0] ?? ""

/** Private helpers: what stands in `internal/`, and of the provider room what is not a PascalCase module. */
const isInternal = (file: string): boolean =>
  file.includes("/internal/") || /^provider\/(?:.+\/)?[a-z][^/]*\.ts$/.test(file)

/** An adapter stands in a folder named after its port: `forest/ForestStore/Sqlite.ts`. */
const isAdapter = (file: string): boolean => /^[^/]+\/(?:[^/]+\/)*[A-Z][^/]*\/[^/]+$/.test(file)

/** What is wrong with `file`, whose path is relative to `src`. */
const violations = (file: string, source: string): ReadonlyArray<string> => {
  const room = roomOf(file)
  const wrong = (why: string) => `${file}: ${why}`
  const taken = services.exec(source)?.[0]
  return [
    ...(taken === undefined ? [] : [wrong(`takes ${taken} for itself`)]),
    ...importsOf(source).flatMap((target) => {
      if (!target.startsWith(".")) {
        const rule = packages.find(([name]) => name.test(target))
        if (rule !== undefined && !rule[1].includes(room)) return [wrong(`must not know ${target}`)]
        return target === "effect" ? [wrong("imports the barrel of effect")] : []
      }
      const found = path.posix.join(path.posix.dirname(file), target)
      const other = roomOf(found)
      if (other === room) return []
      const below = [...(floors[room] ?? []), ...(entries[file] ?? [])]
      if (!below.includes(other)) return [wrong(`must not import ${found}`)]
      if (isInternal(found)) return [wrong(`looks into ${found}`)]
      if (isAdapter(found) && !["app", "main.ts", "index.ts"].includes(room)) return [wrong(`chooses ${found}`)]
      return []
    }),
  ]
}

const src = path.resolve(import.meta.dirname, "../src")
const files = fs
  .readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll(path.sep, "/"))

describe("floors", () => {
  it.each(files)("%s stays on its floor", (file) => {
    assert.deepStrictEqual(violations(file, fs.readFileSync(path.join(src, file), "utf8")), [])
  })

  it("has a row for every room", () => {
    const rooms = new Set(files.filter((file) => file.includes("/")).map(roomOf))
    assert.deepStrictEqual(
      [...rooms].filter((room) => floors[room] === undefined),
      [],
    )
    assert.deepStrictEqual(
      files.filter((file) => !file.includes("/") && entries[file] === undefined),
      [],
    )
  })

  it("has no room above itself", () => {
    const reaches = (room: string): ReadonlyArray<string> =>
      (floors[room] ?? []).flatMap((below) => [below, ...reaches(below)])
    for (const room of Object.keys(floors)) assert.notInclude(reaches(room), room)
  })

  it.each<readonly [why: string, file: string, source: string, violation: string]>([
    [
      "an import from above",
      "chat/A.ts",
      'import { make } from "../provider/gemini/Gemini.ts"',
      "must not import provider/gemini/Gemini.ts",
    ],
    [
      "a dynamic one",
      "chat/A.ts",
      'const load = () => import("../provider/gemini/Gemini.ts")',
      "must not import provider/gemini/Gemini.ts",
    ],
    ["a re-export", "model/A.ts", 'export * from "../loom/LoomEngine.ts"', "must not import loom/LoomEngine.ts"],
    ["a side effect", "disk/A.ts", 'import "../message/Ids.ts"', "must not import message/Ids.ts"],
    [
      "another room's internals",
      "loom/A.ts",
      'import { x } from "../model/internal/x.ts"',
      "looks into model/internal/x.ts",
    ],
    [
      "a provider's internals",
      "app/A.ts",
      'import { x } from "../provider/gemini/request.ts"',
      "looks into provider/gemini/request.ts",
    ],
    [
      "an adapter",
      "indexing/A.ts",
      'import * as S from "../forest/ForestStore/Sqlite.ts"',
      "chooses forest/ForestStore/Sqlite.ts",
    ],
    ["an SDK", "app/A.ts", 'const sdk = import(\n  "@google/genai"\n)', "must not know @google/genai"],
    [
      "the platform",
      "code/A.ts",
      'import * as Path from "@effect/platform/Path"',
      "must not know @effect/platform/Path",
    ],
    [
      "another place that starts processes",
      "cli/A.ts",
      'import { spawn } from "node:child_process"',
      "must not know node:child_process",
    ],
    ["the barrel", "code/A.ts", 'import { Effect } from "effect"', "imports the barrel of effect"],
    ["the clock", "code/A.ts", "const now = Date.now()", "takes Date.now( for itself"],
    ["a root file's reach", "bin.ts", 'await import("./app/App.ts")', "must not import app/App.ts"],
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
    assert.deepStrictEqual(violations("app/App.ts", 'import * as S from "../forest/ForestStore/Sqlite.ts"'), [])
    assert.deepStrictEqual(violations("app/A.ts", 'import * as G from "../provider/gemini/Gemini.ts"'), [])
  })
})
