/** The workflows of CI, of the site and of a release: what they run exists, and they may do no more than they need. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { files } from "../tools/windowsTests.ts"
import { isInstalled } from "./utils/isInstalled.ts"

const root = path.resolve(import.meta.dirname, "..")

const folder = path.join(root, ".github/workflows")

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly needs?: string | ReadonlyArray<string>
  readonly permissions?: Readonly<Record<string, string>>
  readonly "timeout-minutes"?: number
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> }
  readonly steps: ReadonlyArray<Step>
}

interface Workflow {
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows: ReadonlyArray<readonly [file: string, workflow: Workflow]> = fs
  .readdirSync(folder)
  .map((file) => [file, parse(fs.readFileSync(path.join(folder, file), "utf8"), { strict: true })])

const stepsOf = ({ jobs }: Workflow): ReadonlyArray<Step> => Object.values(jobs).flatMap(({ steps }) => steps)

const scriptsOf = (workflow: Workflow): ReadonlyArray<string> => stepsOf(workflow).flatMap(({ run }) => run ?? [])

const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
const { tasks } = JSON.parse(fs.readFileSync(path.join(root, "deno.json"), "utf8"))

/**
 * What a line of a shell script names, and is not there: scripts of npm, tasks of Deno,
 * files and folders of the checkout.
 */
const missingIn = (script: string): ReadonlyArray<string> => {
  const names = (pattern: RegExp) => Array.from(script.matchAll(pattern), ([, name = ""]) => name)
  return [
    ...names(/\bnpm run ([\w:-]+)/g).filter((name) => scripts[name] === undefined),
    ...names(/\bdeno task ([\w:-]+)/g).filter((name) => tasks[name] === undefined),
    ...names(/(?:^|\s)(?:\.\/)?((?:\.ci|tools|test|src|bench)\/[\w./-]+)/g).filter(
      (file) => !fs.existsSync(path.join(root, file)),
    ),
  ]
}

describe.each(workflows)("%s", (file, workflow) => {
  it("names scripts and files that exist", () => {
    const all = scriptsOf(workflow)
    assert.isNotEmpty(all)
    assert.deepStrictEqual(all.flatMap(missingIn), [])
  })

  it.skipIf(process.platform === "win32" || !isInstalled("bash"))("has scripts that bash can read", () => {
    for (const script of scriptsOf(workflow)) {
      const { status, stderr } = spawnSync("bash", ["-n"], {
        input: script.replaceAll(/\$\{\{.*?\}\}/g, "x"),
        encoding: "utf8",
      })
      assert.deepStrictEqual([status, stderr], [0, ""], script)
    }
  })

  it("may only read, but for jobs that say what they write", () => {
    assert.deepStrictEqual(workflow.permissions, { contents: "read" })
    const allowed: Readonly<Record<string, unknown>> = {
      "release.yml npm": { "id-token": "write" },
      "release.yml github": { contents: "write" },
      "docs.yml publish": { pages: "write", "id-token": "write" },
    }
    for (const [name, { permissions }] of Object.entries(workflow.jobs)) {
      assert.deepStrictEqual(permissions, permissions && allowed[`${file} ${name}`], name)
    }
  })

  it("uses actions by their commit, since tags can be moved, and leaves no credentials in the checkout", () => {
    const text = fs.readFileSync(path.join(folder, file), "utf8")
    for (const { uses, with: options } of stepsOf(workflow)) {
      if (uses === undefined) continue
      assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      assert.match(text, new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\n`))
      if (uses.startsWith("actions/checkout@")) assert.isFalse(options?.["persist-credentials"])
    }
  })

  it("uses no secret, and no text of an event within a script", () => {
    const text = JSON.stringify(workflow.jobs)
    assert.notMatch(text, /\bsecrets\./)
    for (const script of scriptsOf(workflow)) assert.notMatch(script, /\$\{\{(?! matrix\.)/)
  })

  it("ends each job in a time of its own, and cancels or queues runs of the same branch", () => {
    assert.isDefined(workflow.concurrency)
    for (const [name, job] of Object.entries(workflow.jobs)) assert.isNumber(job["timeout-minutes"], name)
  })

  it("waits for jobs that exist, and downloads what they upload", () => {
    for (const [name, { needs = [], steps, strategy }] of Object.entries(workflow.jobs)) {
      const before = [needs].flat()
      for (const job of before) assert.property(workflow.jobs, job, name)
      const earlier = new Set(before)
      for (const job of earlier) for (const further of [workflow.jobs[job]?.needs ?? []].flat()) earlier.add(further)
      const uploaded = [...earlier].flatMap((job) =>
        (workflow.jobs[job]?.steps ?? []).flatMap(({ uses, with: options }) =>
          uses?.startsWith("actions/upload-artifact@") ? [String(options?.name)] : [],
        ),
      )
      for (const { uses, with: options } of steps) {
        if (!uses?.startsWith("actions/download-artifact@")) continue
        const wanted = String(options?.name ?? options?.pattern).replace(/\*$/, "")
        assert.isTrue(
          uploaded.some((artifact) => artifact.startsWith(wanted)),
          `${name} downloads ${wanted}`,
        )
      }
      const used = Array.from(JSON.stringify(steps).matchAll(/\$\{\{ matrix\.(\w+)/g), ([, key = ""]) => key)
      for (const key of used) assert.property(strategy?.matrix ?? {}, key, name)
    }
  })
})

describe("the workflows", () => {
  it("try the package on three systems, each with three versions of Node, and on Bun and Deno", () => {
    const [, ci] = workflows.find(([file]) => file === "ci.yml") ?? []
    assert.deepStrictEqual(ci?.jobs.installs?.strategy?.matrix, {
      os: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: ["22.16.0", 24, 26],
    })
    assert.include(ci?.jobs.runtimes?.steps.at(-1)?.run, "bun deno")
  })

  it("run the tests that hold in Windows, each of which is there", () => {
    const [, ci] = workflows.find(([file]) => file === "ci.yml") ?? []
    assert.strictEqual(ci?.jobs.windows?.steps.at(-1)?.run, "node tools/windows.ts")
    for (const file of files) assert.isTrue(fs.existsSync(path.resolve(root, file)), file)
  })

  it("make the executable as the release does, and try it", () => {
    const madeBy = (name: string, job: string) => {
      const [, workflow] = workflows.find(([file]) => file === name) ?? []
      return (workflow?.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? [])
    }
    assert.isNotEmpty(madeBy("release.yml", "executables"))
    assert.deepStrictEqual(madeBy("ci.yml", "executable"), madeBy("release.yml", "executables"))
  })

  it("publish only what was checked and tried", () => {
    const [, release] = workflows.find(([file]) => file === "release.yml") ?? []
    assert.sameMembers([release?.jobs.npm?.needs ?? []].flat(), ["package", "executables"])
    assert.deepStrictEqual([release?.jobs.github?.needs ?? []].flat(), ["npm"])
  })

  it("are found out where they name what is not there", () => {
    assert.deepStrictEqual(missingIn("npm run build && npm run nothing\nnode tools/none.ts x\n.ci/run"), [
      "nothing",
      "tools/none.ts",
    ])
    assert.deepStrictEqual(missingIn("deno task smoke; deno task none"), ["none"])
  })
})

describe("the oldest Node that the package allows", () => {
  const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8")
  const { engines } = JSON.parse(read("package.json"))
  const oldest = String(engines.node).replace(">=", "")

  it("is the one that CI tests, not the newest of its major version", () => {
    assert.include(read(".ci/run"), `npx -y -p node@${oldest}.0 `)
    assert.include(read(".ci/run"), `node tools/tests.ts ${oldest}.0`)
    assert.include(read("tools/installs.ts"), `@${oldest}.0\``)
    const matrices = [...read(".github/workflows/ci.yml").matchAll(/^ +node: \[(.*)\]$/gm)].map(([, all]) => all)
    assert.deepStrictEqual([...new Set(matrices)], [`${oldest}.0, 24, 26`])
  })

  it("is the one that the program and the documents name", () => {
    for (const file of ["src/bin.ts", "README.md", "docs/install.md", "docs/windows.md"]) {
      const named = [...read(file).matchAll(/Node (22\.\d+)/g)].map(([, version]) => version)
      assert.deepStrictEqual([...new Set(named)], [oldest], file)
    }
  })
})
