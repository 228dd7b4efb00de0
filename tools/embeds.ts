/**
 * The packed library, installed into another Effect program: every TypeScript block of the documents about the
 * library is type-checked and run there as it stands, without a network, and prints what the document says.
 */
import * as assert from "node:assert/strict"
import * as fs from "node:fs"
import * as path from "node:path"
import { pack } from "./pack.ts"
import { inFolder, root, run } from "./process.ts"
import { type Snippet, snippets } from "./snippets.ts"

/**
 * Loaded before a program: answers what it asks of Gemini in place of the network, first with a call of a tool, then
 * with the end. The two requests are all that is let through.
 */
const gemini = `
const entry = { path: "add.ts", symbol: "add", purpose: "Adds two numbers." }
const call = { functionCall: { name: "create_index_entry", args: { entries: [entry] } } }
const answers = [[call], [{ text: "That is all." }]]

globalThis.fetch = async (input) => {
  const url = String(input instanceof Request ? input.url : input)
  const parts = answers.shift()
  if (!url.startsWith("https://generativelanguage.googleapis.com/") || parts === undefined) {
    throw new Error("asked for " + url)
  }
  const event = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }
  return new Response("data: " + JSON.stringify(event) + "\\r\\n\\r\\n", { headers: { "content-type": "text/event-stream" } })
}
`

const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}

/** The peers of `vibe-index/cluster`, and of `vibe-index/mcp`. */
const peers = [
  ...["cluster", "experimental", "platform", "rpc", "sql", "sql-pg", "workflow"].map((name) => `@effect/${name}`),
  "@modelcontextprotocol/client",
]

/** The types of a newer Node.js: other programs have these, and they lack names that older ones have. */
const newerNodeTypes = { name: "node-types-26", spec: "npm:@types/node@26.6.6" }

const clusterProgram = `import { ClusterExplorer, Database, PostgresRunStore, Worker } from "vibe-index/cluster"

console.log([ClusterExplorer.layer, Database.layer, PostgresRunStore.layer, Worker.serve].every((part) => part !== undefined))
`

/** Every public module but `effect-ai`, whose peer is not installed here, and `cluster`, which `cluster.ts` imports. */
const everything = ["", "/code", "/model", "/provider", "/tools", "/forest", "/chat", "/promise", "/mcp"]
  .map((subpath, index) => `export * as module${index} from "vibe-index${subpath}"\n`)
  .join("")

/**
 * - `tsconfig.json`: the documents' programs, with the DOM's types in place of @types/node
 * - `tsconfig.node.json` and `tsconfig.newer.json`: all declarations of the package, none skipped, with the types of a
 *   Node.js in place of the DOM's
 */
const projects = (programs: ReadonlyArray<string>) => ({
  "tsconfig.json": JSON.stringify({ compilerOptions, files: programs }),
  "tsconfig.node.json": everythingWith({}),
  // What refers to the types of Node.js finds them here first: two versions of them cannot be used together.
  "tsconfig.newer.json": everythingWith({ typeRoots: [NEWER_TYPES] }),
})

/** A folder with a link `node` to the newer types. */
const NEWER_TYPES = "newer"

const everythingWith = (options: object): string =>
  JSON.stringify({
    compilerOptions: {
      ...compilerOptions,
      ...options,
      lib: ["es2024", "esnext.disposable"],
      types: ["node"],
      skipLibCheck: false,
    },
    files: ["everything.ts"],
  })

/** Under `docs`. */
const documents = ["embedding", "testing"]

/** A block that imports the test runner is a test; any other is a program. */
const isTest = ({ code }: Snippet): boolean => code.includes('"@effect/vitest"')

export const embeds = (): Promise<void> => {
  const named = documents.flatMap((document) => {
    const found = snippets(fs.readFileSync(path.join(root, "docs", `${document}.md`), "utf8"))
    assert.ok(found.length > 0, `docs/${document}.md has no TypeScript`)
    return found.map(
      (snippet, index) => ({ ...snippet, name: `${document}${index}.${isTest(snippet) ? "test.ts" : "ts"}` }) as const,
    )
  })
  const files = {
    ...Object.fromEntries(named.map(({ code, name }) => [name, code])),
    "gemini.mjs": gemini,
    // What the programs explore.
    "project/add.ts": "export const add = (a: number, b: number) => a + b\n",
    "everything.ts": everything,
    "cluster.ts": clusterProgram,
    ...projects([...named.map(({ name }) => name), "cluster.ts"]),
  }
  return inFolder(files, async (cwd) => {
    const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
    const { "@effect/vitest": effectVitest, "@types/node": nodeTypes, effect, vitest } = devDependencies
    const dependencies = {
      "vibe-index": `file:${await pack(cwd)}`,
      effect,
      vitest,
      "@effect/vitest": effectVitest,
      "@types/node": nodeTypes,
      [newerNodeTypes.name]: newerNodeTypes.spec,
      ...Object.fromEntries(peers.map((name) => [name, devDependencies[name]])),
    }
    fs.writeFileSync(path.join(cwd, "package.json"), JSON.stringify({ type: "module", dependencies }))
    await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd })

    fs.mkdirSync(path.join(cwd, NEWER_TYPES))
    fs.symlinkSync(
      path.join("..", "node_modules", newerNodeTypes.name),
      path.join(cwd, NEWER_TYPES, "node"),
      "junction",
    )

    const effects = fs.globSync("node_modules/**/effect/package.json", { cwd })
    assert.deepEqual(effects, ["node_modules/effect/package.json"], "there must be one copy of effect")
    for (const project of ["tsconfig.json", "tsconfig.node.json", "tsconfig.newer.json"]) {
      await run(path.join(root, "node_modules/.bin/tsc"), ["--project", path.join(cwd, project)], { cwd })
    }
    assert.equal(
      await run(process.execPath, ["cluster.ts"], { cwd }),
      "true\n",
      "vibe-index/cluster cannot be imported",
    )
    for (const snippet of named) {
      if (isTest(snippet)) {
        await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", snippet.name], { cwd })
      } else {
        const stdout = await run(process.execPath, ["--import", "./gemini.mjs", snippet.name], { cwd })
        assert.equal(stdout, snippet.output ?? "", `${snippet.name} does not print what its document says`)
      }
    }
  })
}
