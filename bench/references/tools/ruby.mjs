/**
 * Makes a truth file of what `References.rb` has seen while the tests of a project ran:
 *
 *     node ruby.mjs NAME CHECKOUT COMMIT CALLS OUTPUT [seed]
 *
 * Only lines that ran tell what they call: the others count neither as found nor as missed.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { draw } from "./draw.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const quotas = { method: 44, class: 16 }

const [name, root, commit, calls, output, seed = "20"] = process.argv.slice(2)
const seen = JSON.parse(fs.readFileSync(calls, "utf8"))

const texts = new Map(
  fs
    .readdirSync(root, { recursive: true })
    .filter((file) => file.endsWith(".rb"))
    .map((file) => [file, fs.readFileSync(path.join(root, file), "utf8").split("\n")]),
)
const placeOf = (text) => {
  const at = text.lastIndexOf(":")
  return { path: text.slice(0, at), line: Number(text.slice(at + 1)) }
}
const rangeOf = (place) =>
  seen.ranges.find(([file, first]) => file === place.path && first === place.line) ?? [
    place.path,
    place.line,
    place.line,
  ]
const isInside = (use, [file, first, last]) => use.path === file && first <= use.line && use.line <= last

/** Matches the words by which a line can call a method. */
const words = (method) =>
  method === "initialize"
    ? /\b(?:new|super)\b/
    : new RegExp(`(?<![\\w@])(?:${method.replace(/=$/, "").replace(/[?!]$/, "\\$&")}(?![\\w])|super\\b)`)

const callsOf = Object.entries(seen.calls).map(([key, targets]) => {
  const at = key.lastIndexOf(" ")
  return { ...placeOf(key.slice(0, at)), name: key.slice(at + 1), targets }
})
const byName = Map.groupBy(callsOf, (call) => call.name)

const judgeMethod = (candidate) => {
  const target = `${candidate.path}:${candidate.line}`
  const range = rangeOf(candidate)
  const pattern = words(candidate.name)
  const uses = []
  const also = []
  const watched = new Set()
  for (const { line, path: file, targets } of byName.get(candidate.name) ?? []) {
    const use = { path: file, line }
    watched.add(`${file}:${line}`)
    if (targets.includes(target)) {
      if (isInside(use, range)) also.push({ ...use, why: "inside itself" })
      // Called by its symbol, by a block argument or by the program of another language.
      else if (!pattern.test(texts.get(file)?.[line - 1] ?? "")) also.push({ ...use, why: "without its name" })
      else uses.push(use)
    } else if (targets.includes(`over ${target}`)) also.push({ ...use, why: "an override ran" })
  }
  const truth = truthOf(candidate, uses, also)
  if (truth === undefined) return undefined
  const unresolved = {}
  for (const [file, lines] of texts) {
    const unseen = lines.flatMap((text, at) =>
      pattern.test(text) && !watched.has(`${file}:${at + 1}`) ? [at + 1] : [],
    )
    if (unseen.length > 0) unresolved[file] = unseen
  }
  return { ...truth, unresolved }
}

const constants = seen.constants.map(({ file, line, meaning, source }) => ({
  use: { path: file, line },
  key: meaning?.[3],
  last: source.split("::").at(-1),
}))

const judgeClass = (candidate) => {
  const range = rangeOf(candidate)
  const meant = constants.filter(({ key }) => key === candidate.symbol).map(({ use }) => use)
  const uses = meant.filter((use) => !isInside(use, range))
  const also = meant.filter((use) => isInside(use, range)).map((use) => ({ ...use, why: "inside itself" }))
  const unresolved = {}
  for (const { key, last, use } of constants)
    if (key === undefined && last === candidate.name) unresolved[use.path] = [...(unresolved[use.path] ?? []), use.line]
  const truth = truthOf(candidate, uses, also)
  return truth && { ...truth, unresolved }
}

/** How often each class and module is opened. Of one with parts in several files, any of them is right. */
const opened = new Map()
for (const [, , , full] of seen.ranges) if (full) opened.set(full, (opened.get(full) ?? 0) + 1)

const isDrawn = (file) => file.startsWith("lib/")
const candidates = [
  ...Object.entries(seen.methods).map(([place, [method, type]]) => ({
    ...placeOf(place),
    name: method,
    symbol: `${(type ?? "").replace(/^#<Class:(.*?)>$/, "$1")}.${method}`,
    kind: "method",
  })),
  ...new Map(
    seen.constants
      .filter(({ meaning }) => /^(?:Class|Module)$/.test(meaning?.[4] ?? "") && opened.get(meaning[3]) === 1)
      .map(({ meaning: [file, line, last, full] }) => [
        full,
        { path: file, line, name: last, symbol: full, kind: "class" },
      ]),
  ).values(),
]
  .filter(({ path: file }) => isDrawn(file))
  .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || (a.name < b.name ? -1 : 1)))

const drawn = await draw(candidates, quotas, Number(seed), (one) =>
  one.kind === "method" ? judgeMethod(one) : judgeClass(one),
)
/** Files that no test loads as such. */
const unseen = fs
  .readdirSync(root, { recursive: true })
  .filter((file) => /(?:\.(?:rake|gemspec|ru|podspec)|(?:^|\/)(?:Rakefile|Gemfile))$/.test(file))
  .toSorted()
const head = {
  repository: name,
  commit,
  language: "Ruby",
  judge: `Ruby ${seen.ruby}, TracePoint while the tests ran`,
  unseen,
}
writeTruth(output, { ...head, seed: Number(seed) }, drawn, candidates)
