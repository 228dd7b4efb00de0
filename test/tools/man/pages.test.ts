import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { settings } from "../../../src/config/Settings.ts"
import * as Roff from "../../../tools/man/roff.ts"
import { manPages } from "../../../tools/man.ts"
import { commands, listed } from "../../utils/commands.ts"
import { isInstalled } from "../../utils/isInstalled.ts"

const pages = manPages()

const textOf = (name: string): string => pages.find((page) => page.name === name)?.text ?? ""

/** What a formatter complains of in all pages, which it reads one after the other. */
const complaints = (command: string, args: ReadonlyArray<string>): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-man-"))
  try {
    for (const { name, text } of pages) fs.writeFileSync(path.join(folder, name), text)
    const files = pages.map(({ name }) => name)
    const { error, stderr, stdout } = spawnSync(command, [...args, ...files], { cwd: folder, encoding: "utf8" })
    return error === undefined ? `${stdout}${stderr}` : String(error)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

describe("man pages", () => {
  it("are one for the program and one for each command, and package.json has them all", () => {
    assert.deepStrictEqual(
      pages.map(({ name }) => name),
      ["vibe.1", ...listed.map(({ name }) => `vibe-${name}.1`)],
    )
    const { man } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, "../../../package.json"), "utf8"))
    assert.deepStrictEqual(man.toSorted(), pages.map(({ name }) => `./dist/man/${name}`).toSorted())
  })

  it.each(commands)("describe vibe $name: its options, arguments and examples", (command) => {
    const text = textOf(command.name.startsWith("loom ") ? "vibe-loom.1" : `vibe-${command.name}.1`)
    for (const { alias, description, isHidden, name } of command.options) {
      assert.strictEqual(text.includes(Roff.bold(name)), !isHidden, name)
      if (isHidden) continue
      assert.include(text, Roff.escapeText(description))
      if (alias !== undefined) assert.include(text, `${Roff.bold(alias)}, ${Roff.bold(name)}`)
    }
    for (const { description } of command.operands) assert.include(text, Roff.escapeText(description))
    for (const example of command.examples) assert.include(text, Roff.escapeText(example))
  })

  it.each(pages.map(({ name }) => name))("%s has exit codes and files", (name) => {
    const text = textOf(name)
    for (const part of ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "FILES", "SEE ALSO"]) {
      assert.include(text, `.SH ${part}\n`)
    }
    for (const code of ["0", "1", "2", "3", "4", "5", "6", "7"]) {
      assert.include(text, `.TP\n${Roff.bold(code)}\n`)
    }
    assert.include(text, "SIGINT (Ctrl\\-C)")
  })

  it("of the program has every variable", () => {
    for (const { name } of settings) assert.include(textOf("vibe.1"), Roff.bold(name))
  })

  it("of a command says what the documents say of it, without their tables and links", () => {
    const text = textOf("vibe-query.1")
    assert.include(text, "its origin: none for a model\\(aqs")
    assert.notInclude(text, "](")
    assert.notInclude(text, "|\n")
  })

  for (const [command, args] of [
    ["mandoc", ["-Tlint", "-W", "warning"]],
    ["groff", ["-man", "-ww", "-Tutf8", "-z"]],
  ] as const) {
    it.skipIf(!isInstalled(command))(`are as ${command} wants them, where it is installed`, () => {
      assert.strictEqual(complaints(command, args), "")
    })
  }
})

describe("text of a man page", () => {
  it("shows characters of command lines as they are typed", () => {
    assert.strictEqual(
      Roff.escapeText("--a '@^' \"@~2\" `\\n`"),
      "\\-\\-a \\(aq@\\(ha\\(aq \\(dq@\\(ti2\\(dq \\(ga\\en\\(ga",
    )
    assert.strictEqual(Roff.escapeText("… 🤖"), "\\[u2026] \\[u1F916]")
  })

  it("never begins a line with a macro by chance", () => {
    assert.strictEqual(Roff.line(Roff.escapeText(".vibe")), "\\&.vibe")
    assert.strictEqual(Roff.line(Roff.escapeText("'a'")), "\\(aqa\\(aq")
    assert.include(Roff.code("a\n.so /etc/passwd"), "\n\\&.so /etc/passwd\n")
  })

  it("keeps code, emphasis and the words of links of a document", () => {
    assert.strictEqual(
      Roff.inline("a [link](x.md#y) to `--b`, [`c`](#c), **d**"),
      "a link to \\fB\\-\\-b\\fP, \\fBc\\fP, \\fId\\fP",
    )
  })

  it("has the lists and code of a document, and neither tables nor the lines that announce them", () => {
    const document = "One\ntwo.\n\nThese:\n\n| a | b |\n|---|---|\n\n- x\n  y\n- z\n\n```sh\ncode\n```\n"
    assert.deepStrictEqual(Roff.blocks(document), [
      ".PP\nOne two.",
      ".IP \\(bu 2\nx y",
      ".IP \\(bu 2\nz",
      ".PP\n.RS 4\n.nf\ncode\n.fi\n.RE",
    ])
  })
})
