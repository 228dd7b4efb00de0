/** The documents describe all that the program can do, and their links lead somewhere. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { providers } from "../src/app/Providers.ts"
import * as Arguments from "../src/cli/arguments/Arguments.ts"
import { decodeWords } from "../src/cli/arguments/readWords.ts"
import * as ReportText from "../src/cli/index/ReportText.ts"
import * as Language from "../src/code/Language.ts"
import * as ConfigFile from "../src/config/ConfigFile.ts"
import { fileEntries, settings } from "../src/config/Settings.ts"
import * as WorkspaceFile from "../src/config/WorkspaceFile.ts"
import * as Scripted from "../src/provider/scripted/Scripted.ts"
import * as Markdown from "../src/wiki/Markdown.ts"
import * as States from "../src/wiki/States.ts"
import * as SettingTables from "../tools/settings.ts"
import { commands } from "./utils/commands.ts"
import * as DocumentedCommands from "./utils/documentedCommands.ts"

const root = path.resolve(import.meta.dirname, "..")

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const documents = ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY"]
  .map((name) => `${name}.md`)
  .concat(fs.readdirSync(path.join(root, "docs")).flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])))
  .concat("bench/README.md", "bench/retrieval/README.md", "examples/README.md")

/** The anchor of a heading, as forges make it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .trim()
    .replaceAll(" ", "-")

const anchors = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => anchor(heading))

/** Relative links, without those in code. */
const links = (markdown: string): ReadonlyArray<string> =>
  Array.from(
    markdown.replaceAll(/^```.*?^```$/gms, "").matchAll(/\]\(([^)\s]+)\)/g),
    ([, target = ""]) => target,
  ).filter((target) => !/^https?:/.test(target))

/** The part of a document below a heading, up to the next one of the same rank. */
const section = (markdown: string, heading: string): string => {
  const [, ...rest] = markdown.split(`\n## ${heading}`)
  return rest.join("").split("\n## ")[0] ?? ""
}

const isJson = (text: string): boolean => Either.isRight(Either.try(() => JSON.parse(text)))

describe("the documents", () => {
  it("begin with a README of at most 150 lines", () => {
    assert.isAtMost(read("README.md").split("\n").length, 150)
  })

  it("begin with a README of at most 900 words, with its code", () => {
    assert.isAtMost(read("README.md").split(/\s+/).length, 900)
  })

  it("end the README's example of vibe index as a run ends, with three commands", () => {
    const [, next = ""] = /^Next:\n(.*?)\n\n/ms.exec(read("README.md")) ?? []
    assert.deepStrictEqual(
      next.split("\n").map((line) => line.trimEnd()),
      ReportText.suggestions({ landmarks: [{ path: "src/requests/models.py", symbol: "PreparedRequest" }] }),
    )
  })

  it.each(documents)("%s links to what is there", (file) => {
    const broken = links(read(file)).filter((link) => {
      const [target = "", fragment] = link.split("#")
      const found = path.join(path.dirname(file), target)
      if (target !== "" && !fs.existsSync(path.join(root, found))) return true
      return fragment !== undefined && !anchors(read(target === "" ? file : found)).includes(fragment)
    })
    assert.deepStrictEqual(broken, [])
  })

  it.each(documents)("%s shows commands that vibe accepts as they are written", (file) => {
    const refused = DocumentedCommands.inBlocks(read(file)).flatMap(({ argv, text }) => {
      const result = Either.flatMap(Arguments.parse(commands, argv), (request) =>
        request._tag === "Run" ? decodeWords(request.command, request.words) : Either.right(undefined),
      )
      return Either.isLeft(result) ? [`${text}: ${result.left.message}`] : []
    })
    assert.deepStrictEqual(refused, [])
  })

  // The changelog also names what older versions had. Within a text a command may stand without its operands.
  it.each(documents.filter((file) => file !== "CHANGELOG.md"))("%s names commands and options that exist", (file) => {
    const named = DocumentedCommands.inText(read(file)).filter(({ argv }) => !/^\[?COMMAND\]?$/.test(argv[1] ?? ""))
    const refused = named.flatMap(({ argv, text }) => {
      const result = Arguments.parse(commands, argv)
      return Either.isLeft(result) && result.left.message.startsWith("unknown")
        ? [`${text}: ${result.left.message}`]
        : []
    })
    assert.deepStrictEqual(refused, [])
  })

  it("show commands in blocks and in the text, of which none is overlooked", () => {
    const texts = ["README.md", "docs/commands.md", "docs/conversations.md", "docs/review.md"].map(read).join("\n")
    const found = DocumentedCommands.inBlocks(texts)
    assert.isAbove(found.length, 100)
    assert.deepInclude(found, {
      text: "vibe query --within src/auth who may log in",
      argv: ["query", "--within", "src/auth", "who", "may", "log", "in"],
    })
    assert.isTrue(found.some(({ argv }) => argv.join(" ") === "check --base origin/$GITHUB_BASE_REF --sarif"))
    const names = new Set(found.map(({ argv }) => argv[0]))
    for (const name of ["index", "affected", "loom", "completion", "diff"]) assert.isTrue(names.has(name), name)
  })

  it.each(commands.map(({ name }) => name))("docs/commands.md describes vibe %s and its options", (name) => {
    const text = read("docs/commands.md")
    const own = name.startsWith("loom ") ? section(text, "`vibe loom") : section(text, `\`vibe ${name}`)
    assert.include(own, name)
    const shared = section(text, "Options of several commands")
    const options = commands.find((command) => command.name === name)?.options ?? []
    const missing = options.flatMap(({ alias, name }) =>
      [name, alias].filter((word) => word !== undefined && !own.includes(word) && !shared.includes(word)),
    )
    assert.deepStrictEqual(missing, [])
  })

  it("docs/commands.md names each command that has a shared option", () => {
    const text = read("docs/commands.md")
    const rows = Array.from(
      section(text, "Options of several commands").matchAll(/^\| (`-.*?) \| ([a-z, -]+) \|/gm),
      ([, options = "", where = ""]) => ({ options: options.match(/--[a-z-]+/g) ?? [], named: where.split(", ") }),
    ).filter(({ named }) => named.length > 1)
    assert.isAbove(rows.length, 8)
    const hasRow = (command: string, option: string) =>
      section(text, `\`vibe ${command}`)
        .split("\n")
        .some((line) => line.startsWith(`| \`${option}`))
    const wrong = rows.flatMap(({ named, options }) =>
      options.flatMap((option) =>
        commands.flatMap((command) => {
          const isNamed = named.some((name) => `${command.name} `.startsWith(`${name} `))
          const hasIt = command.options.some(({ name }) => name === option)
          // A command of `vibe loom` may go without the options of its group, or describe one in its own words.
          if (command.name.startsWith("loom ")) return []
          return isNamed === hasIt || (hasIt && hasRow(command.name, option)) ? [] : [`${option} of ${command.name}`]
        }),
      ),
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("docs/commands.md begins with a table that leads to every command", () => {
    const [before = ""] = read("docs/commands.md").split("\n## ")
    const named = Array.from(before.matchAll(/\[`([\w-]+)`\]\(#vibe-/g), ([, name = ""]) => name)
    // Commands for other programs, and the one that prints the version, need no place there.
    const listed = commands.map(({ name }) => name.split(" ")[0] ?? "").filter((name) => name !== "version")
    assert.sameMembers(named, [...new Set([...listed, "help"])])
  })

  it("docs/configuration.md has the tables of settings as they are ('npm run docs:settings' writes them)", () => {
    const text = read(SettingTables.document)
    assert.strictEqual(text, SettingTables.withTables(text))
    const rows = text.split("\n").filter((line) => line.startsWith("| `"))
    for (const { key, name } of settings) {
      const own = rows.filter((line) => line.startsWith(`| \`${name}\``))
      assert.lengthOf(own, 1, name)
      assert.include(own[0], key === undefined ? "" : `| \`${key}\` |`)
    }
  })

  it("docs/configuration.md shows a configuration file that is valid and has every key", () => {
    const files = Array.from(read("docs/configuration.md").matchAll(/^```toml\n(.*?)^```$/gms), ([, text = ""]) => text)
    const [example = ""] = files.toSorted((one, other) => other.length - one.length)
    const set = Either.getOrThrow(ConfigFile.read(example, "user")).map(([[name]]) => name)
    assert.deepStrictEqual(
      fileEntries.flatMap(({ key, name }) => (set.includes(name) ? [] : [key])),
      [],
    )
  })

  it("show configuration and workspace files that vibe accepts", () => {
    const examples = documents.flatMap((file) =>
      Array.from(read(file).matchAll(/^```toml\n(.*?)^```$/gms), ([, text = ""]) => ({ file, text })),
    )
    const refused = examples.flatMap(({ file, text }) => {
      const problem = text.includes("[[repo]]")
        ? Either.getLeft(WorkspaceFile.read(text))
        : Either.getLeft(ConfigFile.read(text, "user"))
      return Option.toArray(problem).map(({ message }) => ({ file, text, message }))
    })
    assert.deepStrictEqual(refused, [])
    assert.isAbove(examples.length, 6)
  })

  it("show JSON that can be parsed", () => {
    const refused = documents.flatMap((file) =>
      Array.from(read(file).matchAll(/^```json\n(.*?)^```$/gms), ([, text = ""]) => text).flatMap((text) =>
        isJson(text) || text.trim().split("\n").every(isJson) ? [] : [{ file, text }],
      ),
    )
    assert.deepStrictEqual(refused, [])
  })

  it("docs/wiki.md shows a page that is read and printed as it stands, with the symbols that it cites", () => {
    const [, text = ""] = /^```text\n(# .*?)^```$/ms.exec(read("docs/wiki.md")) ?? []
    const document = Markdown.parse("loader", text)
    assert.strictEqual(Markdown.print(document), text)
    assert.deepStrictEqual(
      States.statementsOf(document.page).map(({ citations }) => citations.map(({ path, symbol }) => [path, symbol])),
      [[["lua/lazy/core/loader.lua", "M._load"]], [], [["lua/lazy/core/loader.lua", "M.get_start_plugins"]]],
    )
  })

  it.effect("docs/models.md shows a script that is accepted", () =>
    Effect.gen(function* () {
      const [, text = ""] = /^```json\n(.*?)^```$/ms.exec(read("docs/models.md")) ?? []
      assert.strictEqual((yield* Scripted.fromJson("FILE.json", text)).id.provider, "scripted")
    }),
  )

  it("docs/commands.md says of every language how it is outlined", () => {
    const rows = section(read("docs/commands.md"), "`vibe index").split("\n")
    const namesIn = (first: string) =>
      Array.from(
        rows.find((row) => row.startsWith(`| ${first}`))?.matchAll(/`([a-z-]+)`/g) ?? [],
        ([, name = ""]) => name,
      )
    assert.deepStrictEqual(namesIn("by parsing"), Language.withOutline("grammar"))
    assert.deepStrictEqual(namesIn("in the scripts"), Language.withOutline("scripts"))
    assert.deepStrictEqual(namesIn("approximately"), Language.withOutline("patterns"))
    assert.deepStrictEqual(namesIn("none"), Language.withOutline("none"))
  })

  it("docs/embedding.md says what is under every subpath of the package", () => {
    const { exports, name }: { exports: object; name: string } = JSON.parse(read("package.json"))
    const paths = Object.keys(exports).filter((subpath) => !subpath.endsWith(".json"))
    const rows = Array.from(read("docs/embedding.md").matchAll(/^\| `(vibe-index[/\w-]*)` \|/gm), ([, row = ""]) => row)
    assert.sameMembers(
      rows,
      paths.map((subpath) => path.posix.join(name, subpath)),
    )
  })

  it("docs/models.md names every provider", () => {
    const text = read("docs/models.md")
    assert.deepStrictEqual(
      [...providers.keys()].filter((name) => !text.includes(`\`${name}/`) && !text.includes(`\`${name}\``)),
      [],
    )
  })

  it("ARCHITECTURE describes each room once, and names only what is there", () => {
    const architecture = read("ARCHITECTURE.md")
    const rows = Array.from(architecture.matchAll(/^\| `(\w+)\/` \|/gm), ([, room = ""]) => room)
    const [, inside = ""] = /^## What is in each room\n(.*?)^## /ms.exec(architecture) ?? []
    const sections = inside
      .split("\n### ")
      .slice(1)
      .map((text) => [/^`(\w+)/.exec(text)?.[1] ?? "", text] as const)
    assert.strictEqual(new Set(rows).size, rows.length)
    assert.deepStrictEqual(
      sections.map(([room]) => room),
      rows,
    )
    // Names of one word are words as well, so that only those of several are looked for.
    const missing = sections.flatMap(([room, text]) => {
      const files = fs.readdirSync(path.join(root, "src", room), { recursive: true, encoding: "utf8" })
      const exists = (name: string): boolean =>
        files.some((file) => /\.tsx?$/.test(file) && path.parse(file).name === name) ||
        files.some(
          (file) =>
            /\.tsx?$/.test(file) &&
            new RegExp(`export (?:const|class|interface|type) ${name}\\b`).test(read(`src/${room}/${file}`)),
        )
      const names = [...new Set(text.match(/(?<![\w`/@-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?![\w`/])/g))]
      const folders = Array.from(text.matchAll(/`((?:\w+\/)+)`/g), ([, folder = ""]) => folder)
      return [
        ...names.filter((name) => !exists(name) && !["WebAssembly", "PascalCase"].includes(name)),
        ...folders.filter(
          (folder) => !fs.existsSync(path.join(root, "src", room, folder)) && !rows.includes(folder.slice(0, -1)),
        ),
      ].map((name) => `${room}: ${name}`)
    })
    assert.deepStrictEqual(missing, [])
  })

  it("ARCHITECTURE names files that exist where it says what to change where", () => {
    const [, table = ""] = /^## Where to change what\n(.*?)^## /ms.exec(read("ARCHITECTURE.md")) ?? []
    const paths = Array.from(table.matchAll(/`([a-z]+(?:\/[\w<>-]+)*)`/g), ([, named = ""]) =>
      path.join("src", named.replace("<wire>", "anthropic").replace("<command>", "index")),
    ).filter((file) => file !== path.join("src", "run"))
    assert.isAbove(paths.length, 20)
    assert.deepStrictEqual(
      paths.filter((file) => ![file, `${file}.ts`].some((name) => fs.existsSync(path.join(root, name)))),
      [],
    )
  })
})
