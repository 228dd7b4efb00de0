/**
 * The rules of rooms: what each may import and call, read off ARCHITECTURE.md and stated here, and what breaks them.
 */
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * The rooms that a room may import, by the table in ARCHITECTURE.md. A cell of its last column is a list of rooms, `–`
 * for none, `every room above` with or without `but …`, or `everything but the entry`.
 */
export const parseRooms = (markdown: string): ReadonlyMap<string, ReadonlyArray<string>> => {
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

export const floors = parseRooms(fs.readFileSync(path.resolve(import.meta.dirname, "../../ARCHITECTURE.md"), "utf8"))

/** What the files of `src` itself may import: the program what composes it, the library what is public. */
export const entries: Record<string, ReadonlyArray<string>> = {
  // Of `cli`, what completes symbols: the rest of the program takes too long for a press of Tab.
  "bin.ts": ["compileCache.ts", "main.ts", "ownNode.ts", "cli"],
  "compileCache.ts": [],
  "ownNode.ts": [],
  "main.ts": ["base", "app", "cli"],
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
  [/^smol-toml$/, ["config", "install", "wiki"]],
  [/^yaml$/, ["wiki"]],
  [/^jsonc-parser$/, ["install"]],
  [/^node-diff3$/, ["conversation"]],
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^@dagrejs\//, ["wiki"]],
  [/^(preact|@preact\/signals|@codemirror\/|@lezer\/|marked$|dompurify$)/, ["page"]],
]

/** What a service provides (`Clock`, `Random`, `Ids`, `Config`, a logger), and no file may use directly. */
const services = /\b(process\.env|Date\.now\(|new Date\(\)|Math\.random\(|randomUUID|console\.(log|info|error|debug)\()/

/**
 * Functions that hang if they are interrupted before their fibers have started: see `base/concurrency`.
 */
const races =
  /\bEffect\.(?:race(?:First|With|All)?|timeout(?:Option|Fail|FailCause|To)?)\(|\bStream\.merge\w*\(|\bconcurrency: (?:"unbounded"|"inherit"|[A-Z]|[2-9])/

/**
 * Locks of Effect that a fiber keeps for ever if it is interrupted while it takes them, and caches that give
 * the interrupt of their first caller to every later one: see `base/mutex`.
 */
const locks =
  /\b(?:unsafeMakeSemaphore|makeSemaphore|withPermits(?:IfAvailable)?|TSemaphore|PartitionedSemaphore|cachedFunction|(?<=Effect\.)cached(?=\()|RateLimiter|ScopedRef|RcRef|RcMap|LayerMap|KeyedPool)\b/

/**
 * Layers that are built at the same time. Where one of them fails, the others are interrupted, and whatever else needs
 * a layer that they had begun to build waits for it for ever, or is interrupted too.
 */
const parallelLayers = /\bLayer\.(?:merge(?:All)?\(|zipWith\(|provide(?:Merge)?\(\[)/

/** The targets of all imports: static, type-only, re-exporting and dynamic. */
const importsOf = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g), ([, target]) => target ?? "")

export const roomOf = (file: string): string => file.split("/")[0] ?? ""

/** Private modules: those in `internal/` and of languages, and in the provider room those without a PascalCase name. */
const isInternal = (file: string): boolean =>
  file.includes("/internal/") || file.startsWith("code/languages/") || /^provider\/(?:.+\/)?[a-z][^/]*\.ts$/.test(file)

/** Adapters are in a folder named after their port: `forest/ForestStore/Sqlite.ts`. */
const isAdapter = (file: string): boolean => /^[^/]+\/(?:[^/]+\/)*[A-Z][^/]*\/[^/]+$/.test(file)

/** Rooms that compose a whole program, so that they may choose adapters: `promise` for code without Effect. */
const composers = ["app", "promise", "main.ts", "index.ts"]

/**
 * Files of the commands that choose adapters and providers: the tables of commands, and the layers that they run on.
 */
const composesCommand = (file: string): boolean =>
  /^cli\/(?:layers\/\w+|(?:[\w-]+\/)?(?:commands|layer|\w+Layer))\.ts$/.test(file) || hasShortLayer(file)

/** Returns whether a file is the implementation of a command whose layer is short, so that it is in this file, too. */
const hasShortLayer = (file: string): boolean =>
  /^cli\/[\w-]+\/run\.ts$/.test(file) && sources.has(file) && !sources.has(file.replace("run.ts", "layer.ts"))

/** The rules that `file` breaks. Its path is relative to `src`. */
export const violations = (file: string, source: string): ReadonlyArray<string> => {
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

const src = path.resolve(import.meta.dirname, "../../src")

export const files = fs
  .readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll(path.sep, "/"))

/** Leaves out the examples in docstrings, which import the package as users do. */
const withoutExamples = (source: string): string => source.replaceAll(/^[ \t]*\* ?```ts\n.*?^[ \t]*\* ?```$/gms, "")

export const sources: ReadonlyMap<string, string> = new Map(
  files.map((file) => [file, withoutExamples(fs.readFileSync(path.join(src, file), "utf8"))]),
)

/**
 * Groups of files that import each other in a circle. Type-only imports count: in a circle of types, too, no file can
 * be understood, tested or moved without the others. So do dynamic ones. (Tarjan's strongly connected components.)
 */
export const circles = (sources: ReadonlyMap<string, string>): ReadonlyArray<ReadonlyArray<string>> => {
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
