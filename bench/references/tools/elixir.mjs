/**
 * Makes a truth file of what `References.exs` has seen while a project was compiled:
 *
 *     node elixir.mjs NAME CHECKOUT COMMIT USES OUTPUT [seed]
 *
 * A line of which the compiler said nothing, such as one in a quote or a type, counts neither as found nor as missed.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { draw } from "./draw.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const quotas = { function: 44, class: 16 }

const [name, root, commit, seen, output, seed = "20"] = process.argv.slice(2)

const rows = fs
  .readFileSync(seen, "utf8")
  .trim()
  .split("\n")
  .map((row) => row.split("\t"))
  .map(([sort, file, line, kind, module, called]) => ({
    sort,
    path: file,
    line: Number(line),
    kind,
    module,
    name: called,
  }))
  // The compiler calls a macro by another name in its own definitions.
  .map((row) => ({ ...row, name: row.name.replace(/^MACRO-/, "") }))

const texts = new Map(
  fs
    .readdirSync(root, { recursive: true })
    .filter((file) => /\.exs?$/.test(file))
    .map((file) => [file, fs.readFileSync(path.join(root, file), "utf8").split("\n")]),
)
const textOf = ({ line, path: file }) => texts.get(file)?.[line - 1] ?? ""
const quotePattern = (text) => text.replaceAll(/[^\w]/g, "\\$&")
const wordOf = (word) => new RegExp(`(?<![\\w@:])${quotePattern(word)}(?![\\w?!]|:\\s)`)

const definitions = rows
  .filter(({ sort }) => sort === "definition")
  .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || (a.name < b.name ? -1 : 1)))
const uses = rows.filter(({ sort }) => sort === "use")
const usesOf = Map.groupBy(uses, (use) => `${use.module} ${use.name}`)
// The compiler says of a type only that an attribute is set.
const isOfType = ({ module, name }) => module === "Kernel.Typespec" || name === "@"
const seenLines = new Set(uses.filter((use) => !isOfType(use)).map((use) => `${use.path}:${use.line}`))

/** The line of the `end` that closes what begins at a line, by the layout of the formatter. */
const endOf = (file, line) => {
  const lines = texts.get(file) ?? []
  const indent = /^ */.exec(lines[line - 1] ?? "")[0]
  const end = lines.findIndex((text, at) => at >= line && text === `${indent}end`)
  return end === -1 ? line : end + 1
}

/** Functions of one name behind each other are one, whatever their numbers of arguments: so outlines have them. */
const functions = definitions
  .filter(
    ({ kind, name: each, ...place }) =>
      kind !== "module" && new RegExp(`\\bdef\\w* ${quotePattern(each)}\\b`).test(textOf(place)),
  )
  .filter((each, at, all) => all[at - 1]?.name !== each.name || all[at - 1]?.module !== each.module)
  .map((each) => ({ ...each, kind: "function", symbol: `${each.module}.${each.name}` }))
const counts = Map.groupBy(functions, ({ symbol }) => symbol)

const modules = definitions
  .filter(({ kind, ...place }) => kind === "module" && /\bdef(?:module|protocol)\b/.test(textOf(place)))
  .map((each) => ({ ...each, kind: "class", name: each.module.split(".").at(-1), symbol: each.module }))

const rangeOf = (candidate) => {
  if (candidate.kind === "class") return endOf(candidate.path, candidate.line)
  const next = definitions.find(
    (each) => each.path === candidate.path && each.line > candidate.line && each.name !== candidate.name,
  )
  const around = definitions.find(({ kind, module }) => kind === "module" && module === candidate.module)
  return Math.min(next?.line ?? Number.POSITIVE_INFINITY, endOf(candidate.path, around?.line ?? 1)) - 1
}

const judge = (candidate) => {
  const word = wordOf(candidate.name)
  const last = rangeOf(candidate)
  const meant = []
  const also = []
  for (const { line, path: file } of usesOf.get(
    `${candidate.module} ${candidate.kind === "class" ? "-" : candidate.name}`,
  ) ?? []) {
    const use = { path: file, line }
    const text = textOf(use)
    if (!texts.has(file)) continue
    if (file === candidate.path && line >= candidate.line && line <= last) also.push({ ...use, why: "inside itself" })
    else if (!word.test(text)) also.push({ ...use, why: "without its name" })
    else if (/^\s*(?:(?:alias|require|import)\b|[\w.]+,?$)/.test(text) && candidate.kind === "class")
      also.push({ ...use, why: "import" })
    else meant.push(use)
  }
  const truth = truthOf(candidate, meant, also)
  if (truth === undefined) return undefined
  const unresolved = {}
  for (const [file, lines] of texts) {
    const unseen = lines.flatMap((text, at) =>
      word.test(text) && (!seenLines.has(`${file}:${at + 1}`) || /^\s*import\b/.test(text)) ? [at + 1] : [],
    )
    if (unseen.length > 0) unresolved[file] = unseen
  }
  return { ...truth, name: candidate.kind === "class" ? writtenName(candidate) : truth.name, unresolved }
}

/** The name of a module as its definition has it, `A.B` or `B`. */
const writtenName = (candidate) => /\bdef\w+ ([\w.]+)/.exec(textOf(candidate))?.[1] ?? candidate.name

const candidates = [...functions.filter(({ symbol }) => counts.get(symbol)?.length === 1), ...modules].filter(
  ({ path: file }) => file.startsWith("lib/"),
)
const drawn = await draw(candidates, quotas, Number(seed), judge)
const head = {
  repository: name,
  commit,
  language: "Elixir",
  judge: "Elixir 1.14.0, a tracer of the compiler",
}
writeTruth(output, { ...head, seed: Number(seed) }, drawn, candidates)
