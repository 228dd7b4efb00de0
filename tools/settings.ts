/**
 * `npm run docs:settings`: writes the tables of settings into docs/configuration.md,
 * between the comments that mark them.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Settings from "../src/config/Settings.ts"

const code = (text: string): string => `\`${text}\``

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |")

const variables = ({ name, otherName }: Settings.Setting): string =>
  otherName === undefined ? code(name) : `${code(name)}, else ${code(otherName)}`

const table = (titles: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(titles), row(titles.map(() => "---")), ...rows.map(row)].join("\n")

const scopeOf = ({ scope }: Settings.FileSetting<unknown>): string => (scope === "project" ? "any" : "your own")

/** The tables by their marks. */
const tables: Readonly<Record<string, string>> = {
  "settings of vibe": table(
    ["variable", "key in a file", "which file", "", "default"],
    Object.values<Settings.FileSetting<unknown>>(Settings.vibe).map((setting) => [
      variables(setting),
      code(setting.key),
      scopeOf(setting),
      setting.description,
      setting.builtIn ?? "",
    ]),
  ),
  "settings of the environment": table(
    ["variable", "", "default"],
    Object.values<Settings.Setting>(Settings.environment).map((setting) => [
      variables(setting),
      setting.description,
      setting.builtIn ?? "",
    ]),
  ),
  "settings of providers": table(
    ["variable", "", "default"],
    Settings.providerSettings.map((setting) => [variables(setting), setting.description, setting.builtIn ?? ""]),
  ),
}

/** The document with its tables of settings as they are now. */
export const withTables = (markdown: string): string =>
  markdown.replaceAll(
    /^<!-- (settings of [a-z ]+) -->\n.*?^<!-- end -->$/gms,
    (_, mark: string) => `<!-- ${mark} -->\n\n${tables[mark] ?? ""}\n\n<!-- end -->`,
  )

export const document = "docs/configuration.md"

if (process.argv[1] === import.meta.filename) {
  const file = path.resolve(import.meta.dirname, "..", document)
  fs.writeFileSync(file, withTables(fs.readFileSync(file, "utf8")))
}
