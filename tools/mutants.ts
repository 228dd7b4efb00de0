/**
 * Do the tests notice when the program is wrong? StrykerJS makes many small changes to the source, one at a time
 * (mutants), and runs the tests that cover each:
 *
 *     npm run mutants -- src/review                 # every mutant of a room
 *     npm run mutants -- --sample 60 src/server     # 60 of them; `--seed 2` takes others
 *     npm run mutants -- src/forest/Export.ts       # a file; several may be named
 *     npm run mutants -- --tests test/cli src/conversation  # further tests beside the mirrored ones
 *
 * The tests are those of the same room, and `further` ones. Survivors are printed with their change, and
 * `.stryker-tmp/mutants.json` has all of them. String literals and messages are left as they are, and so is
 * what runs only while a module is loaded. It takes one core, at the lowest priority, and some seconds a
 * mutant. It is no part of the check.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { npm, root } from "./process.ts"

const usage = "usage: npm run mutants -- [--sample N] [--seed N] [--tests PATH] ROOM-OR-FILE..."

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string" }, seed: { type: "string" }, tests: { type: "string", multiple: true } },
})

const folder = path.join(import.meta.dirname, "mutants")

/** All files of a folder, or a file itself. */
const glob = (name: string, files: string): string => {
  const relative = path.relative(root, path.resolve(name)).split(path.sep).join("/")
  if (!fs.existsSync(path.join(root, relative))) throw new Error(`${name}: there is no such file or folder`)
  return fs.statSync(path.join(root, relative)).isDirectory() ? `${relative}/${files}` : relative
}

/** Tests in other rooms that are those of a room, too: references are resolved in the index, and tested by language. */
const further: Readonly<Record<string, ReadonlyArray<string>>> = {
  index: ["test/code/languages/*/references.test.ts"],
}

/** The room that a source file or folder belongs to. */
const roomOf = (name: string): string => {
  const [top, room] = path.relative(root, path.resolve(name)).split(path.sep)
  if (top !== "src" || room === undefined) throw new Error(`${name}: it is in no room of src`)
  return room
}

const rooms = [...new Set(positionals.map(roomOf))]

const options = () => ({
  mutate: positionals.map((name) => glob(name, "**/*.ts")),
  testFiles: [
    ...[...rooms.map((room) => `test/${room}`), ...(values.tests ?? [])].map((name) => glob(name, "**/*.test.ts")),
    ...rooms.flatMap((room) => further[room] ?? []),
  ],
  testRunner: "vitest",
  // A mutated file is imported by tests of any room: those above have been chosen.
  vitest: { configFile: "tools/mutants/vitest.config.js", related: false },
  plugins: ["@stryker-mutator/vitest-runner", path.join(folder, "plugin.ts")],
  checkers: ["sample"],
  ignorers: ["wording"],
  mutator: { excludedMutations: ["StringLiteral"] },
  // The modules of a worker are loaded once, as in the tests, so that only what runs later can be mutated.
  ignoreStatic: true,
  disableTypeChecks: false,
  // There is none: StrykerJS would read it with the API of TypeScript, which TypeScript 7 does not have.
  tsconfigFile: "tsconfig.none.json",
  ignorePatterns: ["/dist", "/site", "/bench", "/built", ".vibe"],
  tempDirName: ".stryker-tmp",
  concurrency: 1,
  // Counted in the time of the test, of which a busy machine needs a multiple.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 20,
  maxTestRunnerReuse: 40,
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false, skipFull: true },
  jsonReporter: { fileName: ".stryker-tmp/mutants.json" },
  allowConsoleColors: false,
})

const main = async (): Promise<number> => {
  if (positionals.length === 0) throw new Error(usage)
  if (!fs.existsSync(path.join(folder, "node_modules"))) {
    // A package of its own, which few need: without it `npm ci` of the checkout takes as long as before.
    await npm(["ci", "--ignore-scripts"], { cwd: folder })
  }
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-mutants-"))
  const config = path.join(temporary, "stryker.config.json")
  fs.writeFileSync(config, JSON.stringify(options()))
  const env = {
    ...process.env,
    ...(values.sample === undefined ? {} : { MUTANTS_SAMPLE: values.sample }),
    ...(values.seed === undefined ? {} : { MUTANTS_SEED: values.seed }),
  }
  const stryker = path.join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js")
  const child = spawn(process.execPath, [stryker, "run", config], { cwd: root, env, stdio: "inherit" })
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW)
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status) => resolve(status ?? 1))
  })
  fs.rmSync(temporary, { recursive: true, force: true })
  return code
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
