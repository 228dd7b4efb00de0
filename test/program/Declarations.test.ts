/** The declaration files of the library, as a program that embeds it sees them. */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Declarations, parse } from "./declarations.ts"

const root = path.resolve(import.meta.dirname, "../..")

const tsc = path.join(root, "node_modules/typescript/bin/tsc")

const manifest = path.join(root, "package.json")

const entries = Object.entries<{ readonly types?: string }>(
  JSON.parse(fs.readFileSync(manifest, "utf8")).exports,
).flatMap(([subpath, { types }]) => (types === undefined ? [] : [{ name: subpath.replace(".", "vibe-index"), types }]))

let folder: string

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-test-")))
  const library = path.join(folder, "library")
  fs.mkdirSync(path.join(folder, "node_modules"))
  fs.mkdirSync(library)
  fs.copyFileSync(manifest, path.join(library, "package.json"))
  execFileSync(process.execPath, [
    ...[tsc, "--project", path.join(root, "tsconfig.build.json")],
    ...["--emitDeclarationOnly", "--outDir", path.join(library, "dist/lib")],
  ])
  const link = (target: string, name: string) =>
    fs.symlinkSync(target, path.join(folder, "node_modules", name), "junction")
  link(library, "vibe-index")
  for (const name of ["effect", "@effect", "@types"]) link(path.join(root, "node_modules", name), name)
}, 120_000)

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The errors of a program that has the library in its `node_modules`, without those in its other packages. */
const compile = (program: string, options: object): ReadonlyArray<string> => {
  const project = fs.mkdtempSync(path.join(folder, "program-"))
  const compilerOptions = {
    module: "nodenext",
    target: "es2024",
    strict: true,
    rootDir: ".",
    outDir: "out",
    ...options,
  }
  fs.writeFileSync(path.join(project, "program.mts"), program)
  fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.mts"] }))
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false"], { cwd: project, encoding: "utf8" })
  assert.include([0, 1, 2], status)
  return stdout.split("\n").filter((line) => /^\S.*error/.test(line) && !/^[^(]*node_modules/.test(line))
}

/**
 * Without the client of tool servers, which starts programs: its declarations need the types of Node.js and of the SDK.
 */
const everything = entries
  .filter(({ name }) => name !== "vibe-index/mcp")
  .map(({ name }, index) => `export * as module${index} from "${name}"\n`)
  .join("")

/** What public declarations name and no entry exports: `file: name`. */
const findUnnameable = (library: string): ReadonlyArray<string> => {
  const files = new Map<string, Declarations>()
  const read = (file: string) => {
    const found = files.get(file) ?? parse(file)
    files.set(file, found)
    return found
  }
  const isPublic = new Set<string>()
  const open: Array<{ readonly file: string; readonly names: ReadonlyArray<string> | undefined }> = entries.map(
    ({ types }) => ({ file: path.join(library, types), names: undefined }),
  )
  const texts: Array<{ readonly file: string; readonly text: string }> = []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { file } = next
    const { exports, isExported, own } = read(file)
    // A name that the file itself has from another one is followed there.
    const wanted = next.names ?? [...own.keys()].filter(isExported)
    for (const name of wanted) {
      const key = `${file}: ${name}`
      if (isPublic.has(key)) continue
      isPublic.add(key)
      texts.push({ file, text: own.get(name) ?? "" })
    }
    if (isPublic.has(file)) continue
    if (next.names === undefined) isPublic.add(file)
    for (const more of exports) {
      const names = more.names?.filter(({ alias }) => next.names === undefined || next.names.includes(alias))
      for (const { alias } of names ?? []) isPublic.add(`${file}: ${alias}`)
      if (next.names === undefined || (names ?? []).length > 0)
        open.push({ file: more.file, names: names?.map(({ name }) => name) })
    }
  }
  const missing = texts.flatMap(({ file, text }) => {
    const { namedIn, own } = read(file)
    const inside = [...own]
      // The compiler's own: what a class extends.
      .filter(
        ([name, declared]) => !name.endsWith("_base") && /^(?:export |declare )*(?:class|interface)/.test(declared),
      )
      .filter(([name]) => new RegExp(`(?<![.\\w"])${name}\\b(?!["?:])`).test(text))
      .map(([name]) => ({ file, name }))
    return [...namedIn(text), ...inside].filter(({ file, name }) => !isPublic.has(`${file}: ${name}`))
  })
  return [...new Set(missing.map(({ file, name }) => `${path.relative(library, file)}: ${name}`))].toSorted()
}

describe("the declarations of the library", () => {
  it("name only types that a program can name, too", () => {
    assert.deepStrictEqual(findUnnameable(path.join(folder, "library")), [])
  })

  it("compile with the DOM's types in place of @types/node", () => {
    const lib = ["es2024", "dom", "dom.iterable", "esnext.disposable"]
    assert.deepStrictEqual(compile(everything, { exactOptionalPropertyTypes: true, types: [], lib }), [])
  })

  it("let a program declare what it makes of a run", () => {
    const program = `
      import { Effect } from "effect"
      import { IndexingOrchestrator } from "vibe-index"
      import type { ExplorerError, FileError, ForestError, IndexError, Report } from "vibe-index"

      export const explore = IndexingOrchestrator.runGuidedExploration(".").pipe(
        Effect.catchTag("ModelError", () => Effect.succeed(undefined)),
      )
    `
    assert.deepStrictEqual(compile(program, { declaration: true, skipLibCheck: true }), [])
  })
})
