import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ReadmeExcerpt from "../../src/index/ReadmeExcerpt.ts"

const features = Array.from(
  { length: 40 },
  (_, at) => `- It does thing ${at} in a way that is described here at length.`,
).join("\n")

const readme = `# Tool

## Version 3 is out!

We are excited to announce version 3.

Tool is a small program that sorts the files of a folder by their kind.

## Features

${features}

## Sponsors

${features}

## Installation

\`\`\`sh
npm install --global tool
\`\`\`

## Usage

\`\`\`sh
tool sort ~/downloads
\`\`\`

## Configuration

Set \`kinds\` in \`tool.toml\`.
`

describe("ReadmeExcerpt.of", () => {
  it("returns a README that fits as it is", () => {
    assert.strictEqual(ReadmeExcerpt.of("# A\n\nText\n", 100), "# A\n\nText")
  })

  it("has what the project is, how it is installed, used and configured, before a long list of features", () => {
    const excerpt = ReadmeExcerpt.of(readme, 900)
    for (const text of [
      "Tool is a small program",
      "npm install --global tool",
      "tool sort",
      "Set `kinds`",
      "thing 1 ",
    ]) {
      assert.include(excerpt, text)
    }
    for (const text of ["Sponsors", "excited", "thing 39"]) assert.notInclude(excerpt, text)
    assert.isBelow(excerpt.indexOf("Features"), excerpt.indexOf("Usage"))
    assert.isAbove(excerpt.length, 700)
  })

  it("closes a block of code that it cuts", () => {
    const code = Array.from({ length: 60 }, (_, at) => `call(${at})`).join("\n")
    const excerpt = ReadmeExcerpt.of(
      `# A\n\nA is a library for calls.\n\n## Usage\n\n\`\`\`js\n${code}\n\`\`\`\n\n## Install\n\nIt.\n`,
      300,
    )
    assert.strictEqual((excerpt.match(/^```/gm)?.length ?? 0) % 2, 0)
  })

  it.prop(
    "stays within its limit, whatever the text",
    [
      fc.array(fc.oneof(fc.string(), fc.constantFrom("# A", "## Usage", "## Install", "```", "")), { maxLength: 80 }),
      fc.integer({ min: 80, max: 900 }),
    ],
    ([lines, most]) => {
      assert.isAtMost(ReadmeExcerpt.of(lines.join("\n"), most).length, most)
    },
  )
})
