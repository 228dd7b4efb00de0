/**
 * Makes one executable of the package, for machines without Node: `node tools/sea/build.ts --out DIR` writes
 * `DIR/vibe-PLATFORM-ARCH`, with `.exe` on Windows. It needs Node 26, which the executable is a copy of:
 *
 *     npm ci
 *     npx -y -p node@26 node tools/sea/build.ts --out build
 *
 * - `--as-built` takes `dist` as it is; otherwise it is built as it is published.
 * - `--node FILE --target PLATFORM-ARCH` makes the executable of another Node 26, such as one for another platform. It
 *   is neither started nor, for macOS, signed.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"
import { packedFiles } from "../pack.ts"
import { attempt, inFolder, npm, root, run } from "../process.ts"
import * as Archive from "./archive.ts"

/** The first version with `--build-sea`. */
const NEEDED = 26

/** They go with every copy of a program. */
const licence = /(?:^|\/)(?:licen[cs]e|notice|copying)[^/]*$/i

/** Types, sources and maps are for programs that embed a package; of a folder of documents nothing is loaded. */
const unused = /\.(?:map|md|markdown|flow|tsbuildinfo|[cm]?tsx?)$|(?:^|\/)(?:tests?|docs|src|examples?|\.bin)\//i

/** The library and the man pages are for the package alone. */
const unusedOwn = /^(?:docs|dist\/(?:lib|man|completions))\//

/** What is published, without what the program does not load. */
const ownFiles = async (): Promise<ReadonlyArray<string>> =>
  (await packedFiles()).filter((file) => !unusedOwn.test(file) && !file.endsWith(".md"))

/** The files of all packages that the lockfile has for those who install vibe. */
const dependencyFiles = async (): Promise<ReadonlyArray<string>> => {
  const listed = await npm(["ls", "--omit=dev", "--omit=peer", "--all", "--parseable"])
  const folders = listed.trim().split(/\r?\n/).slice(1)
  return folders
    .flatMap((folder) =>
      fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/")),
    )
    .filter((file) => licence.test(file) || !unused.test(file))
}

/** Of Node, which is in the executable too. Beside the folder of the program in its archives. */
const nodeLicence = (node: string): ReadonlyArray<Archive.File> => {
  const file = [path.join(path.dirname(node), "../LICENSE"), path.join(path.dirname(node), "LICENSE")].find(
    fs.existsSync,
  )
  return file === undefined ? [] : [{ path: "LICENSE.node", bytes: fs.readFileSync(file) }]
}

const collect = async (node: string): Promise<ReadonlyArray<Archive.File>> => {
  const names = [...new Set([...(await ownFiles()), ...(await dependencyFiles())])].toSorted()
  if (!names.includes("dist/bin.js")) throw new Error("dist/bin.js is not there: run it without --as-built")
  return [...names.map((name) => ({ path: name, bytes: fs.readFileSync(path.join(root, name)) })), ...nodeLicence(node)]
}

/** The entry and its two modules as one file: an executable has one script. */
const bundleEntry = async (file: string): Promise<void> => {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, "entry.ts"), platform: "node" })
  await bundle.write({ file, format: "esm" })
}

/**
 * A copy of Node without its symbol table, a sixth of its size. As it is where it cannot be stripped or runs no more.
 */
const strippedNode = async (node: string, copy: string): Promise<string> => {
  fs.copyFileSync(node, copy)
  fs.chmodSync(copy, 0o755)
  const isStripped = await attempt("strip", process.platform === "darwin" ? ["-x", copy] : ["--strip-all", copy]).then(
    ({ code }) => code === 0,
    () => false,
  )
  // A Mach-O file that was changed does not start before it is signed again.
  if (process.platform === "darwin" && isStripped) await sign(copy)
  const runs = isStripped && (await attempt(copy, ["--eval", "process.exit(0)"])).code === 0
  return runs ? copy : node
}

/** An ad-hoc signature: macOS starts no executable on arm64 without one. */
const sign = (file: string) => run("codesign", ["--sign", "-", "--force", file])

interface Target {
  /** The Node that the executable is a copy of. */
  readonly node: string
  readonly name: string
  readonly isThisMachine: boolean
}

const build = async (out: string, { isThisMachine, name, node }: Target): Promise<string> =>
  inFolder({}, async (folder) => {
    const files = await collect(node)
    const digest = createHash("sha256")
    for (const { bytes, path: file } of files) digest.update(`${file}\0${bytes.length}\0`).update(bytes)
    const inFolderOf = (file: string) => path.join(folder, file)
    fs.writeFileSync(inFolderOf("files"), Archive.pack(files))
    fs.writeFileSync(inFolderOf("build"), digest.digest("hex").slice(0, 16))
    await bundleEntry(inFolderOf("entry.mjs"))
    const executable = path.join(out, name)
    fs.mkdirSync(out, { recursive: true })
    const configuration = {
      main: inFolderOf("entry.mjs"),
      mainFormat: "module",
      executable: isThisMachine && process.platform !== "win32" ? await strippedNode(node, inFolderOf("node")) : node,
      output: executable,
      disableExperimentalSEAWarning: true,
      // The loader that the entry asks for is experimental by name.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      assets: { files: inFolderOf("files"), build: inFolderOf("build") },
    }
    fs.writeFileSync(inFolderOf("sea.json"), JSON.stringify(configuration))
    await run(process.execPath, ["--build-sea", inFolderOf("sea.json")])
    fs.chmodSync(executable, 0o755)
    if (isThisMachine && process.platform === "darwin") await sign(executable)
    return executable
  })

const main = async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      "as-built": { type: "boolean", default: false },
      node: { type: "string" },
      target: { type: "string" },
    },
  })
  const major = Number(process.versions.node.split(".")[0])
  if (major < NEEDED) {
    throw new Error(
      `an executable is made by Node ${NEEDED} or newer, this is ${process.version}: npx -y -p node@${NEEDED} node tools/sea/build.ts --out DIR`,
    )
  }
  if (values.out === undefined) throw new Error("--out DIR is missing: the folder to write the executable to")
  if ((values.node === undefined) !== (values.target === undefined)) throw new Error("--node and --target go together")
  const target = values.target ?? `${process.platform}-${process.arch}`
  if (!values["as-built"]) await npm(["run", "prepack"])
  const executable = await build(path.resolve(values.out), {
    node: values.node ?? process.execPath,
    name: `vibe-${target}${target.startsWith("win32") ? ".exe" : ""}`,
    isThisMachine: values.node === undefined,
  })
  process.stdout.write(`${executable}: ${(fs.statSync(executable).size / 1e6).toFixed(0)} MB\n`)
}

await main().catch((cause: unknown) => {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
})
