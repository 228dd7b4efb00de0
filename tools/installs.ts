/**
 * The packed package, installed into an empty folder as users do, and run there.
 *
 * - `npm run check` does it with the Node that runs the check.
 * - `node tools/installs.ts [--packed FOLDER] [22] [24] [26] [bun] [deno]` does it with these too, which it fetches
 *   from npm's registry as packages for Linux, and prints the size and the times. With `--packed` it takes the tarball
 *   in that folder; otherwise it packs `dist` as it is.
 */
import * as assert from "node:assert/strict"
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { pack } from "./pack.ts"
import { attempt, type Counts, inFolder, leaveCounts, npm, npmWarnings, root, run } from "./process.ts"

/** Megabytes on a file system with blocks of 4 kB; 40 were measured, 22 of them grammars. */
const mostMegabytes = 65

const blockSize = 4096

const arch = process.arch === "arm64" ? "aarch64" : process.arch

/** Packages that hold nothing but the program of a runtime, so that none of their scripts needs to run. */
const runtimes: Readonly<Record<string, readonly [spec: string, program: string, ...options: ReadonlyArray<string>]>> =
  {
    // The oldest that `engines` of the package allows.
    "22": [`node-linux-${process.arch}@22.16.0`, "bin/node"],
    "24": [`node-linux-${process.arch}@24`, "bin/node"],
    "26": [`node-linux-${process.arch}@26`, "bin/node"],
    bun: [`@oven/bun-linux-${arch}@1`, "bin/bun"],
    deno: [`@deno/linux-${process.arch}-glibc@2`, "deno", "run", "--allow-all"],
  }

const project = {
  "project/greet.ts": "/** Says hello to a person by name. */\nexport const greet = (name: string) => name\n",
  // Outlined by tree-sitter: its WebAssembly must be found.
  "project/tool.go": "package tool\n\n// Makes a text loud.\nfunc Shout(text string) string { return text }\n",
}

/** What npm says where there is no registry, and nothing in its cache. */
const offline = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/

/** Bytes on disk of all files below a folder. */
const sizeOf = (folder: string): number =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => Math.ceil(fs.statSync(path.join(entry.parentPath, entry.name)).size / blockSize) * blockSize)
    .reduce((sum, size) => sum + size, 0)

/** Installs into an own folder: nothing but the package and what it needs, in the size that is allowed. */
const install = async (tarball: string, cwd: string, options: ReadonlyArray<string>): Promise<number> => {
  fs.mkdirSync(cwd)
  fs.writeFileSync(path.join(cwd, "package.json"), "{}\n")
  const args = ["install", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", ...options, tarball]
  assert.deepEqual(await npmWarnings(args, { cwd }), [], "npm warns those who install it")
  const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
  const strangers = Object.keys(devDependencies).filter((name) => fs.existsSync(path.join(cwd, "node_modules", name)))
  assert.deepEqual(strangers, [], "development dependencies were installed")
  const megabytes = sizeOf(path.join(cwd, "node_modules")) / 1e6
  assert.ok(megabytes <= mostMegabytes, `${megabytes.toFixed(1)} MB are installed, more than ${mostMegabytes}`)
  return megabytes
}

/** Runs what a newcomer runs first. */
const smoke = async (
  installed: string,
  project: string,
  [command, ...options]: readonly [string, ...Array<string>],
) => {
  const bin = path.join(installed, "node_modules/vibe-index/dist/bin.js")
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
  fs.rmSync(path.join(project, ".vibe"), { recursive: true, force: true })
  const home = path.dirname(project)
  // With no model to be had on this machine, whatever runs on it.
  const env = { ...process.env, HOME: home, USERPROFILE: home, OLLAMA_HOST: "127.0.0.1:9", VIBE_MODEL: "offline" }
  const vibe = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await attempt(command, [...options, bin, ...args], { cwd: project, env })
    assert.equal(code, 0, `${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`)
    assert.doesNotMatch(stderr, /warning/i, `${command} ${args.join(" ")} warns`)
    return stdout
  }
  assert.equal((await vibe("--version")).trim(), version)
  assert.match(await vibe("index", "."), /^Indexing complete\.$/m)
  const { results } = JSON.parse(await vibe("query", "make a text loud", "--json"))
  assert.equal(results[0].symbol, "Shout")
}

/** The program of a runtime, fetched into `folder`. */
const fetchRuntime = async (name: string, folder: string): Promise<readonly [string, ...Array<string>]> => {
  const found = runtimes[name]
  assert.ok(found !== undefined, `${name} is not one of ${Object.keys(runtimes).join(", ")}`)
  const [spec, program, ...options] = found
  const cwd = path.join(folder, `runtime-${name}`)
  fs.mkdirSync(cwd)
  fs.writeFileSync(path.join(cwd, "package.json"), "{}\n")
  await npm(["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", spec], { cwd })
  const file = path.join(cwd, "node_modules", spec.slice(0, spec.lastIndexOf("@")), program)
  fs.chmodSync(file, 0o755)
  return [file, ...options]
}

/** The path of the tarball in `packed`, or of one that is made in `folder`. */
const findTarball = async (packed: string | undefined, folder: string): Promise<string> => {
  if (packed === undefined) return pack(folder)
  const holder = path.resolve(packed)
  const [name, ...more] = fs.readdirSync(holder).filter((file) => /^vibe-index-.*\.tgz$/.test(file))
  assert.ok(name !== undefined && more.length === 0, `${holder} must have one vibe-index-VERSION.tgz`)
  return path.join(holder, name)
}

interface Options {
  readonly packed?: string | undefined
  readonly others?: ReadonlyArray<string>
  readonly print?: (line: string) => void
}

/** Installs with and without the scripts of packages, and runs the program with this Node and with `others`. */
export const installs = ({ others = [], packed, print = () => {} }: Options = {}): Promise<Counts> =>
  inFolder(project, async (folder) => {
    let passed = 0
    const tarball = await findTarball(packed, folder)
    const indexed = path.join(folder, "project")
    const report = (name: string, begun: number, note = "") => {
      passed += 1
      print(`ok ${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${name}${note}`)
    }
    try {
      for (const options of [[], ["--ignore-scripts"]]) {
        const begun = performance.now()
        const installed = path.join(folder, `installed${options.join("")}`)
        const megabytes = await install(tarball, installed, options)
        report(["npm install", ...options].join(" "), begun, `, ${megabytes.toFixed(1)} MB`)
        const started = performance.now()
        await smoke(installed, indexed, [process.execPath])
        report(`Node ${process.versions.node}`, started)
      }
      const begun = performance.now()
      const global = ["install", "--global", "--prefix", path.join(folder, "global"), "--prefer-offline", tarball]
      assert.deepEqual(await npmWarnings(global, { cwd: folder }), [], "npm warns those who install it globally")
      report("npm install --global", begun)
      // As a shell finds it: by the link, or on Windows the script, that npm has made.
      const link = path.join(folder, "installed/node_modules/.bin", process.platform === "win32" ? "vibe.cmd" : "vibe")
      assert.ok(fs.existsSync(link), `${link} was not made`)
      for (const name of others) {
        const runtime = await fetchRuntime(name, folder)
        const version = (await run(runtime[0], ["--version"])).split("\n")[0]
        const begun = performance.now()
        await smoke(path.join(folder, "installed--ignore-scripts"), indexed, runtime)
        report(`${name} (${version})`, begun)
      }
    } catch (error) {
      if (!(error instanceof Error) || !offline.test(error.message)) throw error
      process.stdout.write("The registry of npm cannot be reached: installing was not tried further\n")
    }
    return { passed, failed: 0 }
  })

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { packed: { type: "string" } } })
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const counts = await installs({ ...values, others: positionals, print }).catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error))
    return { passed: 0, failed: 1 }
  })
  leaveCounts(counts)
}
