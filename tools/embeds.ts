/** The packed library, installed into another Effect program, type-checked and run there. */
import * as assert from "node:assert/strict"
import * as fs from "node:fs"
import * as path from "node:path"
import { inFolder, root, run } from "./process.ts"

const program = `
import { deepStrictEqual } from "node:assert"
import { Effect, Layer } from "effect"
import { Indexing, IndexingOrchestrator, IndexObserver, Scripted } from "vibe-index"

const script = [
  Scripted.calls(["create_index_entry", { entries: [{ path: "a.ts", symbol: "add", purpose: "Adds two numbers" }] }]),
  "That is all.",
]

const vibe = Indexing.layerMemory({ "/p/a.ts": "export const add = (a, b) => a + b" }).pipe(
  Layer.provide([Scripted.layer(script), IndexObserver.layerSilent]),
)

const report = await Effect.runPromise(IndexingOrchestrator.runGuidedExploration("/p").pipe(Effect.provide(vibe)))
deepStrictEqual([report.outcome, report.files, report.purposesWritten], ["complete", 1, 1])
`

const types = `
declare module "node:assert" {
  export const deepStrictEqual: (actual: unknown, expected: unknown) => void
}
`

/** Strict, and without @types/node: the library's declarations must not need it. */
const tsconfig = {
  compilerOptions: {
    module: "nodenext",
    target: "es2024",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  files: ["program.ts", "assert.d.ts"],
}

export const embeds = (): Promise<void> =>
  inFolder({ "program.ts": program, "assert.d.ts": types, "tsconfig.json": JSON.stringify(tsconfig) }, async (cwd) => {
    const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
    const [{ filename }] = JSON.parse(
      await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", cwd]),
    )
    const dependencies = { "vibe-index": `file:${filename}`, effect: devDependencies.effect }
    fs.writeFileSync(path.join(cwd, "package.json"), JSON.stringify({ type: "module", dependencies }))
    await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd })

    const effects = fs.globSync("node_modules/**/effect/package.json", { cwd })
    assert.deepEqual(effects, ["node_modules/effect/package.json"], "there must be one copy of effect")
    await run(path.join(root, "node_modules/.bin/tsc"), ["--project", cwd], { cwd })
    await run(process.execPath, ["program.ts"], { cwd })
  })
