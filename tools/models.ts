/**
 * `node tools/models.ts API.json DATE`: makes the catalogue's own table anew from models.dev's `api.json` of that day.
 * Only providers that a program of this kind speaks to itself; resellers come with `vibe models --refresh`.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Either from "effect/Either"
import * as ModelTable from "../src/model/ModelTable.ts"

const providers = ["anthropic", "deepseek", "google", "groq", "mistral", "openai", "xai"]

const target = path.resolve(import.meta.dirname, "../src/model/internal/modelsDev.ts")

const [file = "", date = ""] = process.argv.slice(2)
const catalogue = JSON.parse(fs.readFileSync(file, "utf8"))
const origin = { source: "https://models.dev", date }
const table = Either.getOrThrowWith(
  ModelTable.fromModelsDev(Object.fromEntries(providers.map((name) => [name, catalogue[name]])), origin),
  (wrong) => new Error(`${file}: ${wrong}`),
)
const lines = ModelTable.all(table).toSorted((a, b) => (a.id < b.id ? -1 : 1))
const text = ModelTable.make(origin, lines)
if (/[`\\]|\$\{/.test(text)) throw new Error("what the table says does not fit into a template literal")

fs.writeFileSync(
  target,
  `/**
 * What models.dev (MIT licence, https://github.com/anomalyco/models.dev) says of models. Made by \`tools/models.ts\`; not
 * to be edited: what it lacks stands in \`ours.ts\`.
 */
import type { ModelTable } from "../ModelTable.ts"

export const table: ModelTable = \`${text}\`
`,
)
process.stdout.write(`${lines.length} models of ${date} in ${path.relative(process.cwd(), target)}\n`)
