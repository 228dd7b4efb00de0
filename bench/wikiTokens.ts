/**
 * `node bench/wikiTokens.ts FOLDER [--only TEXT] [--print FOLDER]`: the tokens of the requests that write a wiki, by
 * their kind, beside what `vibe index --estimate` says before. FOLDER holds checkouts, and nothing is fetched. A
 * scripted model (`wikiTokens/ScriptedWriter`) writes and checks the pages, so two runs give the same figures.
 * `--print` writes the messages into a folder.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SymbolsLayer from "../src/app/SymbolsLayer.ts"
import * as NodeFiles from "../src/code/Files/Node.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as Sqlite from "../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as Message from "../src/message/Message.ts"
import * as Tokens from "../src/message/Tokens.ts"
import { declarations, type Request } from "../src/model/Request.ts"
import * as RunBudget from "../src/model/RunBudget.ts"
import * as Scripted from "../src/provider/scripted/Scripted.ts"
import type { Page } from "../src/wiki/Page.ts"
import * as States from "../src/wiki/States.ts"
import * as MaterialLimits from "../src/wiki/writing/MaterialLimits.ts"
import { readProject } from "../src/wiki/writing/readProject.ts"
import * as WikiWriter from "../src/wiki/writing/WikiWriter.ts"
import * as WriterEstimate from "../src/wiki/writing/WriterEstimate.ts"
import * as ScriptedWriter from "./wikiTokens/ScriptedWriter.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, print: { type: "string" } },
})

/** US dollars a million tokens, as in the other benches. */
const PRICE = { input: 0.3, output: 2.5 }

interface Sum {
  requests: number
  input: number
  output: number
}

const kindOf = (request: Request): string => {
  const name = request.tools[0]?.name ?? ""
  const [message] = request.messages
  const text = message === undefined ? "" : Message.text(message)
  if (name === "check_statements")
    return /not decided yet/.test(text) || request.messages.length > 1 ? "further check" : "first check"
  return name.replace("write_", "").replace("_", " ")
}

const layer = Sqlite.layerMemory.pipe(Layer.provideMerge(SymbolsLayer.layer), Layer.provideMerge(NodeFiles.layer))

const measure = (root: string, name: string) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open(root)
    const store = yield* IndexStore.IndexStore
    const index = yield* store.open(workspace)
    yield* index.refresh
    const project = yield* readProject(index, workspace)
    const estimate = yield* WriterEstimate.make(project, MaterialLimits.defaults, { plan: undefined, pages: [] })
    const write = yield* ScriptedWriter.make(project)
    const sums = new Map<string, Sum>()
    let sent = 0
    const model = yield* Scripted.make((request) => {
      const answer = write(request)
      const kind = kindOf(request)
      const sum = sums.get(kind) ?? { requests: 0, input: 0, output: 0 }
      const said = answer.toolCalls?.map((call) => call.arguments)
      sum.requests += 1
      sum.input += RunBudget.estimate(request)
      sum.output += Math.ceil(Tokens.PER_CHARACTER * Tokens.lengthOf(JSON.stringify(said?.[0] ?? {})))
      sums.set(kind, sum)
      sent += 1
      if (values.print !== undefined) {
        const folder = path.join(values.print, name)
        fs.mkdirSync(folder, { recursive: true })
        const texts = request.messages.map((message) => Message.text(message))
        const file = path.join(folder, `${String(sent).padStart(3, "0")}-${kind.replaceAll(" ", "-")}.txt`)
        const all = [request.system, declarations(request.tools), ...texts]
        fs.writeFileSync(file, `${all.join("\n-----\n")}\n=====\n${JSON.stringify(said?.[0] ?? {})}\n`)
      }
      return answer
    })
    const pages = new Map<string, Page>()
    const ended = { statements: 0, corrected: 0, dropped: 0, undecided: 0 }
    yield* WikiWriter.write({
      model,
      project,
      parallel: 1,
      plan: undefined,
      pages: [],
      onPlan: () => Effect.void,
      onPage: (page) => Effect.sync(() => void pages.set(page.name, page)),
      onRemove: () => Effect.void,
      onEvent: (event) =>
        Effect.sync(() => {
          if (event._tag === "Failed") process.stderr.write(`${name}: ${event.page}: ${event.reason}\n`)
          if (event._tag !== "Checked") return
          ended.statements += event.statements
          ended.corrected += event.corrected
          ended.dropped += event.dropped
          ended.undecided += event.undecided
        }),
    })
    const marked = Array.from(pages.values())
      .flatMap(States.statementsOf)
      .filter(({ unchecked }) => unchecked !== undefined).length
    return { estimate, sums, pages: pages.size, ended, marked }
  }).pipe(Effect.provide(layer), Effect.scoped)

const [folder] = positionals
if (folder === undefined) throw new Error("name the folder that holds the checkouts")
const count = (value: number) => Math.round(value).toLocaleString("en")
for (const name of fs.readdirSync(folder).sort()) {
  if (!name.includes(values.only)) continue
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-wiki-")))
  try {
    fs.cpSync(path.join(folder, name), root, { recursive: true, filter: (file) => !/[\\/]\.(git|vibe)$/.test(file) })
    const { ended, estimate, marked, pages, sums } = await Effect.runPromise(measure(root, name))
    const rows = Array.from(sums.values())
    const input = rows.reduce((sum, row) => sum + row.input, 0)
    const output = rows.reduce((sum, row) => sum + row.output, 0)
    const requests = rows.reduce((sum, row) => sum + row.requests, 0)
    const dollars = (one: number, other: number) => ((one * PRICE.input + other * PRICE.output) / 1e6).toFixed(3)
    process.stdout.write(
      `${[
        `## ${name}: ${pages} pages, ${requests} requests, ${count(input + output)} tokens (${count(input)} in, ${count(output)} out), $${dollars(input, output)}`,
        `estimate: ${estimate.requests} requests, ${count(estimate.inputTokens + estimate.outputTokens)} tokens (${count(estimate.inputTokens)} in, ${count(estimate.outputTokens)} out), ${(100 * ((estimate.inputTokens + estimate.outputTokens) / (input + output) - 1)).toFixed(0)} % of tokens, ${((100 * (estimate.inputTokens * PRICE.input + estimate.outputTokens * PRICE.output)) / (input * PRICE.input + output * PRICE.output) - 100).toFixed(0)} % of money`,
        `statements: ${ended.statements}, corrected ${ended.corrected}, dropped ${ended.dropped}, undecided ${ended.undecided} (marked ${marked})`,
        ...Array.from(
          sums,
          ([kind, sum]) =>
            `| ${kind} | ${sum.requests} | ${count(sum.input)} | ${count(sum.output)} | ${count((sum.input + sum.output) / sum.requests)} | ${((100 * (sum.input + sum.output)) / (input + output)).toFixed(0)} % |`,
        ),
        "",
      ].join("\n")}\n`,
    )
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}
