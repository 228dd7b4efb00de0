import { assert, describe, it } from "@effect/vitest"
import * as DocumentSections from "../../src/base/DocumentSections.ts"

const titlesIn = (text: string) => DocumentSections.read(text).map(({ title }) => title)

describe("DocumentSections.read", () => {
  const forms: ReadonlyArray<readonly [form: string, text: string]> = [
    ["Markdown", "# Guide\nText\n\n## Install `it`\n\n```sh\n# no heading\n```\n\n## [Use](a.md) ##\nMore\n"],
    ["reStructuredText", "Guide\n=====\nText\n\nInstall it\n----------\n\nUse\n~~~\nMore\n"],
    ["AsciiDoc", "= Guide\nText\n\n== Install it\n\n== Use\nMore\n"],
    [
      "a help file of Vim",
      "Guide      *a.txt*\n==========\n1. Install it          *a-install*\ntext\n\n2. Use      *a-use* *a-usage*\nMore\n",
    ],
    ["a man page", '.SH Guide\nText\n.SH "Install it"\ntext\n.SS Use\nMore\n'],
  ]
  for (const [form, text] of forms) {
    it(`finds the headings of ${form}`, () => {
      assert.deepStrictEqual(titlesIn(text), ["Guide", "Install it", "Use"])
      assert.include(DocumentSections.read(text).at(-1)?.lines.join("\n"), "More")
    })
  }

  it("keeps what stands above the first heading if it is more than empty lines", () => {
    assert.deepStrictEqual(titlesIn("\n\n# A\n"), ["A"])
    assert.deepStrictEqual(titlesIn("Hello\n\n# A\n"), ["", "A"])
    assert.deepStrictEqual(titlesIn(""), [])
  })

  it("removes pictures and numbers from headings, and takes a line between two tables for none", () => {
    assert.deepStrictEqual(titlesIn("## 🚀 Start\n\n## 2.1 Next\n\n| a | b |\n|---|---|\n| c | d |\n"), [
      "Start",
      "Next",
    ])
  })
})
