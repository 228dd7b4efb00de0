/**
 * Makes one large repository from the newest commits of others, each in a folder of its name, with a commit of its own.
 *
 *     node bench/monorepo.ts FOLDER GIT_DIRECTORY…
 *
 * A git directory is named `…/owner+name` or `…/owner+name/repo`. Files whose content a partial copy lacks are left
 * out. The last line says how many files, and how many files and lines of languages whose symbols vibe finds.
 */

import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Language from "../src/code/Language.ts"

const [folder, ...sources] = process.argv.slice(2).map((path) => resolve(path))
if (folder === undefined || sources.length === 0) {
  process.stderr.write("usage: node bench/monorepo.ts FOLDER GIT_DIRECTORY...\n")
  process.exit(2)
}
if (existsSync(folder)) {
  process.stderr.write(`${folder} exists: remove it first\n`)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const git = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}): string =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 30, env: { ...process.env, ...env } })

for (const source of sources) {
  const name = basename(source) === "repo" || basename(source) === ".git" ? basename(dirname(source)) : basename(source)
  const index = join(folder, ".index")
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_NO_LAZY_FETCH: "1" }
  git(["--git-dir", source, "read-tree", "HEAD"], env)
  // Goes on after a file that it cannot read.
  spawnSync("git", ["--git-dir", source, "checkout-index", "--all", "--force", `--prefix=${join(folder, name)}/`], {
    cwd: folder,
    env: { ...env, GIT_WORK_TREE: folder },
    stdio: "ignore",
  })
  rmSync(index, { force: true })
}

const inFolder = ["-C", folder, "-c", "gc.auto=0", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
git([...inFolder, "init", "--quiet"])
// The attributes of one repository may convert what they do not fit.
writeFileSync(join(folder, ".git", "info", "attributes"), "* -text -filter -working-tree-encoding\n")
git([...inFolder, "add", "--all", "--force"])
git([...inFolder, "commit", "--quiet", "--no-verify", "--message", "The repositories as they are"])

const files = git([...inFolder, "ls-files", "-z"])
  .split("\0")
  .filter(Boolean)
const outlined = files.filter((path) => !["none", "text", undefined].includes(Language.of(path)?.outline))
let lines = 0
for (const path of outlined) {
  const file = join(folder, path)
  // A link may lead nowhere.
  if (existsSync(file)) for (const byte of readFileSync(file)) if (byte === 10) lines++
}
const count = (value: number) => value.toLocaleString("en")
process.stdout.write(
  `${count(files.length)} files, ${count(outlined.length)} of them and ${count(lines)} lines in languages with symbols\n`,
)
