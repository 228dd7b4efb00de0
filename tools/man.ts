/**
 * `node tools/man.ts [DIR]`: writes the man pages into `DIR/man`, and the completion scripts under the names by which
 * packagers install them into `DIR/completions`. DIR is `dist` by default. `tools/build.ts --release` runs it.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { commands } from "../src/cli/commands.ts"
import { scripts } from "../src/cli/completion/scripts.ts"
import * as Loom from "../src/cli/loom/commands.ts"
import * as Settings from "../src/config/Settings.ts"
import { type Page, pages } from "./man/pages.ts"
import { root } from "./process.ts"

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

/** The day of the build; SOURCE_DATE_EPOCH, in seconds, is the day of a build that can be repeated. */
const today = (epoch: string | undefined): string =>
  new Date(epoch === undefined ? Date.now() : Number(epoch) * 1000).toISOString().slice(0, 10)

export const manPages = (): ReadonlyArray<Page> => {
  const { homepage, version } = JSON.parse(read("package.json"))
  return pages({
    listed: commands.flatMap(({ rows }) => rows.map(({ command }) => command)),
    loom: Loom.entries.map(({ command }) => command),
    settings: Settings.settings,
    commands: read("docs/commands.md"),
    json: read("docs/json.md"),
    version,
    date: today(process.env.SOURCE_DATE_EPOCH),
    homepage,
  })
}

/** By the names that bash, zsh and fish look for. */
export const completions: Readonly<Record<string, string>> = {
  "vibe.bash": scripts.bash,
  _vibe: scripts.zsh,
  "vibe.fish": scripts.fish,
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, "dist"))
  for (const name of ["man", "completions"]) fs.mkdirSync(path.join(folder, name), { recursive: true })
  for (const { name, text } of manPages()) fs.writeFileSync(path.join(folder, "man", name), text)
  for (const [name, text] of Object.entries(completions)) {
    fs.writeFileSync(path.join(folder, "completions", name), `${text}\n`)
  }
}
