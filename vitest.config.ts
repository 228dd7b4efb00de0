import * as fs from "node:fs"
import * as path from "node:path"
import * as v8 from "node:v8"
import { defineConfig } from "vitest/config"

/** Those that start processes again and again, most of them the built program. */
const program = [
  "test/program/**/*.test.ts",
  "test/app/OwnProcess.test.ts",
  "test/disk/AtomicFile.faults.test.ts",
  "test/forest/Killed.test.ts",
  "test/mcp/Client.test.ts",
  "test/provider/agents/CliAgent.test.ts",
]

/**
 * Those that start other programs again and again, such as git. They run in processes of their own: it takes 50 ms of
 * processor time to start a program from the one with all other tests, which has gigabytes, and a millisecond from a small one.
 */
const processes = [
  "test/DocExamples.test.ts",
  "test/Workflows.test.ts",
  "test/cli/prd/Beads/Node.test.ts",
  "test/cluster/*.test.ts",
  "test/disk/Lock.test.ts",
  "test/disk/Sqlite.test.ts",
  "test/forest/Sqlite.processes.test.ts",
  "test/process/**/*.test.ts",
  "test/provider/agents/CliAgent.known.test.ts",
  "test/review/{LeftOut,PurposeHistory,Review,ReviewedFiles}.test.ts",
  "test/review/Git/**/*.test.ts",
  "test/server/Index.test.ts",
  "test/tools/man/pages.test.ts",
  "test/tools/packaging.test.ts",
  "test/tools/sea/*.test.ts",
  "test/wiki/writing/{OldSource,WikiRun}.test.ts",
]

// Times are printed in the zone of the process.
process.env.TZ = "UTC"

/** Linux keeps the files of this folder in memory. */
const MEMORY = "/dev/shm"

/** The files of all tests that run at once take 90 MB at most; the largest of a container often has 64 MB in all. */
const LEAST_ROOM = 500_000_000

const isRoomInMemory = (): boolean => {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(MEMORY)
    return bavail * bsize >= LEAST_ROOM
  } catch {
    return false
  }
}

/**
 * Where the tests have their temporary files: in memory, where there is room. Thorough runs, and all tests of the
 * program, have them on the disk, as users do.
 */
const temporary = (): { TMPDIR?: string } => {
  if (process.env.TMPDIR !== undefined || process.argv.includes("thorough") || !isRoomInMemory()) return {}
  const folder = path.join(MEMORY, `vibe-test-${process.pid}`)
  // Postgres works in it as a user of its own.
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }))
  return { TMPDIR: folder }
}

/**
 * `NODE_COMPILE_CACHE` is where Node keeps the code that it has compiled from one run to the next, which saves 4 % of
 * the processor time; the program has a folder of its own for that. Files in memory save 5 %.
 */
const env = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(import.meta.dirname, "node_modules/.vite/compiled"),
  ...temporary(),
}

/**
 * Megabytes of what V8 looks through for garbage at once, in each thread, at least and at most: tests leave much, and
 * hardly any of it lives on. With V8's own 1 and 16 MB, a run takes 2 % more processor time.
 */
const YOUNG = ["--min-semi-space-size=32", "--max-semi-space-size=64"]
// These count for threads that are started from here on.
for (const flag of YOUNG) v8.setFlagsFromString(flag)

/** Those that need a Chromium, and are skipped without one. */
const browser = ["test/page/**/*.browser.test.ts", "test/site/**/*.browser.test.ts"]

/**
 * Sources that Node loads itself: vitest would transform each of them, and every use of an import would be a property of
 * an object. That takes about a tenth of the processor time. The page has JSX, which Node does not read, and
 * `restoreTesters` runs again before each file, for which vitest must load it. Only what vitest loads itself is looked
 * for changes. Node 22 cannot read all of them: some close what they open with `await using`.
 */
const loadedByNode =
  Number.parseInt(process.versions.node, 10) >= 24 &&
  process.argv.includes("run") &&
  !process.argv.includes("--changed")
    ? [/^(?!.*\/(node_modules|page)\/).*\/(src|test|tools|bench)\/.*(?<!\/restoreTesters)\.ts$/]
    : []

/** What the tests of the modules and of other programs leave out. */
export const exclude = [...program, ...browser]

export default defineConfig(({ mode }) => {
  // The projects below load this file once more, in a mode of their own.
  if (mode === "thorough") process.env.VIBE_TEST_THOROUGH = "1"
  return {
    test: {
      env: { VIBE_TEST_THOROUGH: process.env.VIBE_TEST_THOROUGH ?? "" },
      // Far more than any needs: it ends what hangs, on a machine of any speed.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // Processes wait for one another in many tests: as many files at once as there are cores, not one less.
      maxWorkers: "100%",
      // Loading the modules anew for each file took half of the time.
      pool: "threads",
      isolate: false,
      server: { deps: { external: loadedByNode } },
      setupFiles: ["test/restoreTesters.ts", "test/thoroughness.ts"],
      projects: [
        {
          extends: true,
          test: {
            name: "modules",
            include: ["test/**/*.test.ts"],
            exclude: [...exclude, ...processes],
            env,
          },
        },
        {
          extends: true,
          test: {
            name: "processes",
            include: processes,
            exclude,
            env,
            pool: "forks",
            poolOptions: { forks: { execArgv: YOUNG } },
            // After the others: beside them, three would share two cores, which takes a tenth more of processor time.
            sequence: { groupOrder: 1 },
          },
        },
        { extends: true, test: { name: "program", include: program, globalSetup: ["test/program/build.ts"] } },
        {
          extends: true,
          // A browser takes both cores of a small machine.
          test: {
            name: "browser",
            include: browser,
            globalSetup: ["test/page/browser/setup.ts"],
            fileParallelism: false,
          },
        },
      ],
    },
  }
})
