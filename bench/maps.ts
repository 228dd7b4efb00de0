/**
 * `node bench/maps.ts FOLDER [QUESTIONS]`: how many of the files and symbols that questions are about a map of the
 * repository names, in 1,000, 2,000 and 4,000 tokens.
 *
 * FOLDER holds checkouts named `owner+name`; QUESTIONS has a line of JSON for each question, with `repo`, `gold_files`
 * and `gold_symbols` (`[{"path","name"}]`). Each checkout is copied and indexed without a model. The arms print symbols
 * in the same form and within the same estimate of tokens:
 *
 * - `vibe map`: what the program prints, with the project and its folders before the symbols
 * - `its symbols`: the same order, all tokens for symbols
 * - `files by names`: aider's way of ranking, written anew from its source, with no code copied: a graph of files, an
 *   edge from each file with a name to each that defines it, weighed by the root of the number of uses and by how
 *   telling the name looks; the rank of a file is shared out among the names that it uses
 * - `used by files`: by how many other files use a symbol, of resolved references
 * - `file order`: as the symbols stand in the files, by path
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Sqlite from "../src/disk/Sqlite.ts"
import { kinds as allKinds, IndexEntry } from "../src/index/IndexEntry.ts"
import * as Queries from "../src/index/IndexStore/internal/structure/Queries.ts"
import * as PageRank from "../src/index/PageRank.ts"
import * as RepoMap from "../src/lookup/RepoMap.ts"

const BUDGETS = [1_000, 2_000, 4_000]

const bin = path.resolve(import.meta.dirname, "../src/bin.ts")

interface Gold {
  /** How many questions are about each. */
  readonly files: Map<string, number>
  readonly symbols: Map<string, number>
  questions: number
}

const [folder, questions = path.join(import.meta.dirname, "retrieval", "questions.jsonl")] = process.argv.slice(2)
if (folder === undefined) {
  console.error("usage: node bench/maps.ts FOLDER [QUESTIONS]")
  process.exit(2)
}

const readGold = (file: string): ReadonlyMap<string, Gold> => {
  const gold = new Map<string, Gold>()
  for (const line of fs.readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { gold_files, gold_symbols, repo } = JSON.parse(line)
    const own = gold.get(repo) ?? { files: new Map(), symbols: new Map(), questions: 0 }
    gold.set(repo, own)
    own.questions += 1
    for (const each of gold_files) own.files.set(each, (own.files.get(each) ?? 0) + 1)
    for (const { name, path } of gold_symbols) {
      own.symbols.set(`${path} ${name}`, (own.symbols.get(`${path} ${name}`) ?? 0) + 1)
    }
  }
  return gold
}

const run = (cwd: string, ...args: ReadonlyArray<string>): string => {
  const { stderr, stdout, status } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH, HOME: cwd },
  })
  if (status !== 0) throw new Error(`vibe ${args.join(" ")}: ${stderr}`)
  return stdout
}

const kinds: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "type", "enum"])

interface Symbols {
  readonly entries: ReadonlyArray<IndexEntry>
  readonly isCode: ReadonlyArray<boolean>
  /** In the order of `vibe map`. */
  readonly ranked: ReadonlyArray<IndexEntry>
  /** By file: how often each name is used in it, without its definitions. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const readSymbols = (root: string): Symbols => {
  const database = new DatabaseSync(path.join(root, ".vibe/index.db"), { readOnly: true })
  const rows = database
    .prepare(
      `select f.path, f.class, s.name, s.container, s.kind, s.start_line, s.end_line, s.signature, s.used_by
       from symbol s join file f on f.id = s.file order by f.path, s.start_line`,
    )
    .all()
    .filter(({ kind }) => kinds.has(String(kind)))
  const entries = rows.map(
    (row) =>
      new IndexEntry({
        path: String(row.path),
        name: String(row.name),
        container: row.container === null ? undefined : String(row.container),
        kind: allKinds.find((kind) => kind === row.kind) ?? "function",
        startLine: Number(row.start_line),
        endLine: Number(row.end_line),
        signature: String(row.signature),
        exported: true,
        usedBy: Number(row.used_by),
        isMajor: true,
        hash: "",
      }),
  )
  const uses = new Map<string, ReadonlyMap<string, number>>()
  for (const row of database.prepare("select path, identifiers from file order by path").all()) {
    const file = String(row.path)
    const own = new Map(
      String(row.identifiers)
        .split("\n")
        .flatMap((line) => {
          const [name = "", count = "0"] = line.split(" ")
          return name === "" ? [] : [[name, Number(count)] as const]
        }),
    )
    for (const { name, path } of entries) if (path === file) own.set(name, (own.get(name) ?? 0) - 1)
    uses.set(file, own)
  }
  const ranked = Queries.central(Sqlite.statements(database), rows.length).entries
  database.close()
  return { entries, ranked, isCode: rows.map((row) => row.class === "code"), uses }
}

/** Highest first; those without a score are left out. */
const byScore = (entries: ReadonlyArray<IndexEntry>, score: (position: number) => number): ReadonlyArray<IndexEntry> =>
  entries
    .map((entry, position) => ({ entry, position, score: score(position) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.position - other.position)
    .map(({ entry }) => entry)

/** How telling a name looks. */
const weightOf = (name: string, definitions: number): number => {
  const isCompound = /[A-Za-z]/.test(name) && (name.includes("_") || (/[a-z]/.test(name) && /[A-Z]/.test(name)))
  return (isCompound && name.length >= 8 ? 10 : 1) * (name.startsWith("_") ? 0.1 : 1) * (definitions > 5 ? 0.1 : 1)
}

const filesByNames = ({ entries, uses }: Symbols): ReadonlyArray<IndexEntry> => {
  const files = Array.from(uses.keys())
  const numbers = new Map(files.map((file, number) => [file, number]))
  const definers = new Map(
    Array.from(
      Map.groupBy(entries, ({ name }) => name),
      ([name, all]) => [name, Array.from(new Set(all.map(({ path }) => numbers.get(path) ?? 0)))] as const,
    ),
  )
  const edges = files.flatMap((file, from) =>
    Array.from(uses.get(file) ?? []).flatMap(([name, count]) => {
      const targets = count > 0 ? (definers.get(name) ?? []) : []
      return targets.map((to) => ({ from, to, name, weight: weightOf(name, targets.length) * Math.sqrt(count) }))
    }),
  )
  const ranks = PageRank.compute(new Uint8Array(files.length).fill(1), {
    from: edges.map(({ from }) => from),
    to: edges.map(({ to }) => to),
    weight: edges.map(({ weight }) => weight),
  })
  const out = new Map<number, number>()
  for (const { from, weight } of edges) out.set(from, (out.get(from) ?? 0) + weight)
  const scores = new Map<string, number>()
  for (const { from, name, to, weight } of edges) {
    const key = `${to} ${name}`
    scores.set(key, (scores.get(key) ?? 0) + ((ranks[from] ?? 0) * weight) / (out.get(from) ?? 1))
  }
  return byScore(entries, (position) => {
    const entry = entries[position]
    return entry === undefined ? 0 : (scores.get(`${numbers.get(entry.path)} ${entry.name}`) ?? 0)
  })
}

type Named = ReadonlyArray<{ readonly path: string; readonly symbols: ReadonlyArray<string> }>

const held = (gold: Gold, files: Named): string => {
  const paths = new Set(files.map(({ path }) => path))
  const symbols = new Set(files.flatMap(({ path, symbols }) => symbols.map((symbol) => `${path} ${symbol}`)))
  const count = (wanted: ReadonlyMap<string, number>, found: ReadonlySet<string>) => {
    const all = Array.from(wanted)
    const sum = (some: typeof all) => some.reduce((total, [, questions]) => total + questions, 0)
    return `${sum(all.filter(([key]) => found.has(key)))}/${sum(all)}`
  }
  return `${count(gold.files, paths)}, ${count(gold.symbols, symbols)}`
}

const fill = (symbols: ReadonlyArray<IndexEntry>, tokens: number): Named =>
  RepoMap.fit({ about: [], folders: [], symbols }, tokens, (path) => path).files.map(({ path, symbols }) => ({
    path,
    symbols: symbols.map(({ qualifiedName }) => qualifiedName),
  }))

const print = (root: string, tokens: number): Named => {
  const map: { readonly files: ReadonlyArray<{ path: string; symbols: ReadonlyArray<{ symbol: string }> }> } =
    JSON.parse(run(root, "map", "--tokens", String(tokens), "--json"))
  return map.files.map(({ path, symbols }) => ({ path, symbols: symbols.map(({ symbol }) => symbol) }))
}

console.log(`|  | ${BUDGETS.map((tokens) => `${tokens.toLocaleString("en")} tokens`).join(" | ")} |`)
console.log(`| --- |${BUDGETS.map(() => " ---: |").join("")}`)
let isFound = false
for (const [repository, gold] of readGold(questions)) {
  const checkout = path.join(folder, repository.replace("/", "+"))
  if (!fs.existsSync(checkout) || gold.symbols.size === 0) continue
  isFound = true
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-maps-"))
  try {
    fs.cpSync(checkout, root, { recursive: true, filter: (file) => path.basename(file) !== ".vibe" })
    run(root, "index", ".", "--model", "offline")
    const symbols = readSymbols(root)
    const code = symbols.entries.filter((_, position) => symbols.isCode[position])
    const arms: ReadonlyArray<readonly [string, (tokens: number) => Named]> = [
      ["vibe map", (tokens) => print(root, tokens)],
      ["its symbols", (tokens) => fill(symbols.ranked, tokens)],
      ["files by names", (tokens) => fill(filesByNames(symbols), tokens)],
      [
        "used by files",
        (tokens) =>
          fill(
            byScore(code, (position) => code[position]?.usedBy ?? 0),
            tokens,
          ),
      ],
      ["file order", (tokens) => fill(code, tokens)],
    ]
    for (const [name, mapOf] of arms) {
      console.log(`| ${repository}: ${name} | ${BUDGETS.map((tokens) => held(gold, mapOf(tokens))).join(" | ")} |`)
    }
  } finally {
    fs.rmSync(root, { recursive: true, force: true })
  }
}
if (!isFound) {
  console.error(`${folder} has no checkout that the questions are about`)
  process.exit(1)
}
