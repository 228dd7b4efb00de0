/** Writes a truth file: its head, and one symbol after the other, by place; a use a line, so that changes can be read. */
import * as fs from "node:fs"

const listOf = (uses) =>
  uses.length === 0 ? "[]" : `[${uses.map((use) => `\n        ${JSON.stringify(use)}`).join(",")}\n      ]`

export const writeTruth = (output, head, symbols) => {
  const inOrder = symbols.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
  const lines = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
  const bodies = inOrder.map(
    ({ uses, also, unresolved, ...rest }) =>
      `    { ${JSON.stringify(rest).slice(1, -1)},\n      "uses": ${listOf(uses)},\n      "also": ${listOf(also)}${unresolved === undefined ? "" : `,\n      "unresolved": ${JSON.stringify(unresolved)}`} }`,
  )
  fs.writeFileSync(output, `{\n${lines.join("")}  "symbols": [\n${bodies.join(",\n")}\n  ]\n}\n`)
}
