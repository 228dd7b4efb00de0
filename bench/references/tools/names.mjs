/**
 * Makes a truth file of C#, for which there is no judge here. It has symbols whose name nothing else in the repository
 * declares, and each line with the name counts as a use. Names that the platform has, too, were taken out by hand (`platform`), and so are attributes,
 * since they are written without the end of their name.
 *
 *     node names.mjs NAME CHECKOUT COMMIT OUTPUT [seed]
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { draw, sortUses } from "./draw.mjs"
import { writeTruth } from "./truth.mjs"

const repositories = {
  "FluentValidation/FluentValidation": { drawn: /^src\/FluentValidation\// },
  "MessagePack-CSharp/MessagePack-CSharp": {
    drawn: /^src\/(?!MessagePack\.UnityClient)(?!.*Analyzer)/,
    platform: /^(?:GetLocation|Range|ReadOnlySequence)$/,
  },
}
const quotas = { method: 40, class: 20 }

const [name, root, commit, output, seed = "20"] = process.argv.slice(2)
const repository = repositories[name]

const walk = (folder) =>
  fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(bin|obj|\..*)$/.test(entry.name) ? [] : walk(file)
    return entry.name.endsWith(".cs") ? [file] : []
  })
/** Replaces comments and strings by spaces. */
const blank = (text) =>
  text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?"""|@"(?:""|[^"])*"|"(?:\\.|[^"\\\n])*"|'(?:\\[^']+|[^'\\\n])'/g,
    (all) => all.replace(/[^\n]/g, " "),
  )
const lines = new Map(
  walk("")
    .sort()
    .map((file) => [file, blank(fs.readFileSync(path.join(root, file), "utf8")).split("\n")]),
)
const type = /\b(?:class|interface|struct|enum|record(?:\s+(?:struct|class))?|delegate\s+[\w<>,.?[\]]+)\s+(\w+)/
const member =
  /^\s*(?:(?:public|internal|protected|private|static|virtual|override|abstract|async|sealed|partial|readonly|new|extern|unsafe|const|event|ref)\s+)+[\w<>,.?[\]() ]*?\b(\w+)\s*(?:<[\w, ]+>)?\s*(\(|\{|=>|=|;|$)/
/** A method in an interface has no modifier. */
const bare = /^\s*[A-Z][\w<>,.?[\]]*\s+(\w+)\s*(?:<[\w, ]+>)?\(.*\)\s*;\s*$/

const declarations = new Map()
const places = new Map()
for (const [file, all] of lines)
  for (const [at, text] of all.entries()) {
    const [, ofType] = type.exec(text) ?? []
    const [, ofMember, sign] = ofType === undefined ? (member.exec(text) ?? bare.exec(text) ?? []) : []
    const declared = ofType ?? ofMember
    if (declared !== undefined)
      declarations.set(declared, [
        ...(declarations.get(declared) ?? []),
        {
          name: declared,
          symbol: declared,
          kind: ofType === undefined ? "method" : "class",
          path: file,
          line: at + 1,
          sign,
        },
      ])
    if (/^\s*(?:global\s+)?using\s+[^(]*;|^\s*namespace\b/.test(text)) continue
    for (const word of new Set(text.match(/[A-Za-z_]\w{4,}/g))) {
      const known = places.get(word)
      if (known === undefined) places.set(word, [{ path: file, line: at + 1 }])
      else known.push({ path: file, line: at + 1 })
    }
  }
const candidates = [...declarations.values()]
  .filter((all) => all.length === 1)
  .map(([only]) => only)
  .filter(
    ({ kind, name: word, path: file, sign }) =>
      repository.drawn.test(file) &&
      word.length > 4 &&
      !/Attribute$/.test(word) &&
      !repository.platform?.test(word) &&
      (kind === "class" || sign === "("),
  )
const judge = ({ kind, line, name: word, path: file }) => {
  const all = places.get(word) ?? []
  const own = (use) => use.path === file && use.line === line
  // A constructor has the name of its class.
  const isConstructor = (use) =>
    kind === "class" &&
    new RegExp(`^\\s*(?:(?:public|internal|protected|private|static)\\s+)+${word}\\s*\\(`).test(
      lines.get(use.path)[use.line - 1],
    )
  const uses = all.filter((use) => !own(use) && !isConstructor(use))
  if (uses.length === 0) return undefined
  return {
    symbol: word,
    name: word,
    kind,
    path: file,
    line,
    uses: sortUses(uses),
    also: sortUses(all.filter((use) => own(use) || isConstructor(use)).map((use) => ({ ...use, why: "declaration" }))),
  }
}
const drawn = await draw(candidates, quotas, Number(seed), judge)
const how = "each line with a name that nothing else declares"
writeTruth(output, { repository: name, commit, language: "C#", judge: how, seed: Number(seed) }, drawn, candidates)
