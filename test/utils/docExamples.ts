/** Examples in docstrings: finds them, compiles them against the sources, runs them, and compares what they print. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as util from "node:util"
import { vi } from "@effect/vitest"
import manifest from "../../package.json" with { type: "json" }
import { attempt, root } from "../../tools/process.ts"

export interface Example {
  /** The file and the line of its fence, such as `forest/Forest.ts:36`. */
  readonly at: string
  readonly code: string
}

/** A fence in a docstring, whose lines begin with a star. */
const fence = /^[ \t]*\* ?```ts\n(.*?)^[ \t]*\* ?```$/gms

export const examplesIn = (file: string, source: string): ReadonlyArray<Example> =>
  Array.from(source.matchAll(fence), ({ 1: body = "", index }) => ({
    at: `${file}:${source.slice(0, index).split("\n").length}`,
    code: body.replaceAll(/^[ \t]*\* ?/gm, ""),
  }))

/**
 * Compiles all examples at once, runs each that compiles, in this process, and returns what is wrong with each: nothing
 * if it prints what its last comments say, `// prints: …` for each line.
 */
export const check = async (examples: ReadonlyArray<Example>): Promise<ReadonlyMap<Example, ReadonlyArray<string>>> => {
  const built = path.join(root, "built")
  fs.mkdirSync(built, { recursive: true })
  const folder = fs.mkdtempSync(path.join(built, "doc-examples-"))
  try {
    const programs = examples.map((example, index) => ({ example, file: path.join(folder, `example${index}.ts`) }))
    for (const { example, file } of programs) fs.writeFileSync(file, withSources(example.code, folder))
    const errors = await compile(folder)
    const problems = new Map<Example, ReadonlyArray<string>>()
    for (const { example, file } of programs) {
      const errorsOfFile = errors.filter((error) => error.startsWith(`${path.basename(file)}(`))
      problems.set(example, errorsOfFile.length > 0 ? errorsOfFile : await runAndCompare(example, file))
    }
    return problems
  } finally {
    fs.rmSync(folder, { recursive: true })
    if (fs.readdirSync(built).length === 0) fs.rmdirSync(built)
  }
}

/** Replaces the modules that the package exports by their sources, as a file in `folder` imports them. */
const withSources = (code: string, folder: string): string =>
  Object.entries(manifest.exports).reduce((code, [subpath, target]) => {
    if (typeof target === "string") return code
    const source = target.default.replace("./dist/lib", "src").replace(/js$/, "ts")
    const relative = path.relative(folder, path.join(root, source)).replaceAll(path.sep, "/")
    return code.replaceAll(JSON.stringify(subpath.replace(".", "vibe-index")), JSON.stringify(relative))
  }, code)

/** Keeps the hash of each source that was checked, beside its errors. */
const buildInfo = path.join(root, "node_modules/.cache/doc-examples.tsbuildinfo")

/** The errors of the compiler in the files of a folder. Throws if it reports any that are not in one of these. */
const compile = async (folder: string): Promise<ReadonlyArray<string>> => {
  // It checks only what has changed since the last run: all sources take 3 seconds of processor time.
  const compilerOptions = { noUnusedLocals: true, incremental: true, tsBuildInfoFile: buildInfo }
  const settings = { extends: path.join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] }
  fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(settings))
  const tsc = path.join(root, "node_modules/typescript/bin/tsc")
  // Several threads would take nearly twice the processor time, since each checks what it needs of the sources.
  const args = [tsc, "--singleThreaded", "--pretty", "false"]
  const { code, stderr, stdout } = await attempt(process.execPath, args, { cwd: folder })
  const errors = stdout.split(/\n(?=\S)/).filter((error) => error.trim() !== "")
  const others = errors.filter((error) => !/^example\d+\.ts\(/.test(error))
  if (others.length > 0 || stderr !== "" || (code === 0) !== (errors.length === 0)) {
    throw new Error(`the compiler ended with ${code}: ${[...others, stderr].join("\n")}`)
  }
  return errors
}

const runAndCompare = async ({ code }: Example, file: string): Promise<ReadonlyArray<string>> => {
  const [comments = ""] = /(?:^\/\/ prints: .*\n)+(?!.)/m.exec(code) ?? []
  const expected = Array.from(comments.matchAll(/^\/\/ prints: (.*)$/gm), ([, line]) => line).join("\n")
  if (expected === "") return ["it does not end with a comment '// prints: …'"]
  const printed = await printedBy(file)
  return printed === expected ? [] : [`it prints ${JSON.stringify(printed)}, not ${JSON.stringify(expected)}`]
}

/** Loads a program, and returns what it prints, or the error with which it ends. */
const printedBy = async (file: string): Promise<string> => {
  const lines: Array<string> = []
  const print = (...values: ReadonlyArray<unknown>) => void lines.push(util.format(...values))
  const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) => spy.mockImplementation(print))
  try {
    await import(file)
  } catch (error) {
    print(String(error))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return lines.join("\n")
}
