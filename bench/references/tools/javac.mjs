/**
 * Makes a truth file with the Java compiler, which resolves the names of a source tree without its dependencies:
 *
 *     node javac.mjs NAME CHECKOUT COMMIT OUTPUT [seed]
 *
 * CLASSPATH may name archives of dependencies. JUDGE is the version of the compiler.
 */
import { execFileSync } from "node:child_process"
import * as path from "node:path"
import { draw } from "./draw.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const repositories = {
  "google/gson": { drawn: /^(?!.*\/src\/test\/)/ },
  "spring-projects/spring-petclinic": { drawn: /^src\/main\// },
}
const quotas = { method: 44, class: 16 }

const [name, root, commit, output, seed = "20"] = process.argv.slice(2)
const words = [path.join(import.meta.dirname, "References.java"), root]
if (process.env.CLASSPATH !== undefined) words.push(process.env.CLASSPATH)
const rows = execFileSync("java", words, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] })
  .split("\n")
  .map((line) => line.split("\t"))

const definitions = []
const related = new Map()
const usesOf = new Map()
const add = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value])
for (const [what, ...cells] of rows) {
  if (what === "d") {
    const [number, kind, called, container, file, first, last, line] = cells
    const symbol = container === "" ? called : `${container}.${called}`
    definitions.push({ number, kind, name: called, symbol, path: file, first: +first, last: +last, line: +line })
  } else if (what === "o") {
    add(related, cells[0], cells[1])
    add(related, cells[1], cells[0])
  } else if (what === "u") {
    const [number, file, line, around] = cells
    const use = { path: file, line: +line }
    add(usesOf, number, around === "" ? use : { ...use, in: around })
  }
}
const byNumber = new Map(definitions.map((one) => [one.number, one]))

/** Methods that one overrides, that override it, and what these are related to. */
const familyOf = (number) => {
  const family = new Set([number])
  for (const one of family) for (const other of related.get(one) ?? []) family.add(other)
  family.delete(number)
  return family
}

const judge = (definition) => {
  const { first, last, number, path: file } = definition
  const uses = []
  const also = []
  for (const use of usesOf.get(number) ?? []) {
    if (use.path === file && first <= use.line && use.line <= last) also.push({ ...use, why: "inside itself" })
    else uses.push(use)
  }
  if (uses.length === 0) return undefined
  for (const other of familyOf(number)) {
    const { line: declared, path: where } = byNumber.get(other)
    also.push({ path: where, line: declared, why: "declaration" })
    for (const use of usesOf.get(other) ?? []) also.push({ ...use, why: "through a base type" })
  }
  return truthOf(
    definition,
    uses,
    also.map(({ in: _, ...use }) => use),
  )
}

const candidates = definitions
  .filter((one) => repositories[name].drawn.test(one.path))
  .map((one) => ({ ...one, kind: one.kind === "interface" ? "class" : one.kind }))
const drawn = await draw(candidates, quotas, Number(seed), judge)
const head = {
  repository: name,
  commit,
  language: "Java",
  judge: `${process.env.JUDGE}, com.sun.source without dependencies`,
}
writeTruth(output, { ...head, seed: Number(seed) }, drawn, candidates)
