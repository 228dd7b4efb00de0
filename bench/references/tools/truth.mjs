/** The truth of a symbol, and the file of all that were drawn. */
import * as fs from "node:fs"
import { sortUses } from "./draw.mjs"

/**
 * Returns the truth of a symbol; undefined if it has no use outside of itself.
 *
 * @param symbol `{ symbol, name, kind, path, line }`, with the line counted from 1
 * @param uses places that mean the symbol
 * @param also places of which one cannot say so, each with its reason
 */
export const truthOf = ({ kind, line, name, path, symbol }, uses, also) => {
  if (uses.length === 0) return undefined
  const certain = sortUses(uses)
  const keys = new Set(certain.map((use) => `${use.path}:${use.line}`))
  return {
    symbol,
    name,
    kind,
    path,
    line,
    uses: certain,
    also: sortUses(also).filter((use) => !keys.has(`${use.path}:${use.line}`)),
  }
}

const listOf = (uses) =>
  uses.length === 0 ? "[]" : `[${uses.map((use) => `\n        ${JSON.stringify(use)}`).join(",")}\n      ]`

/**
 * Writes a truth file: its head, and one symbol after the other, by place; a use a line, so that changes can be read. Then
 * prints how many candidates there were.
 */
export const writeTruth = (output, head, symbols, candidates) => {
  const inOrder = symbols.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
  const lines = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
  const bodies = inOrder.map(
    ({ uses, also, unresolved, ...rest }) =>
      `    { ${JSON.stringify(rest).slice(1, -1)},\n      "uses": ${listOf(uses)},\n      "also": ${listOf(also)}${unresolved === undefined ? "" : `,\n      "unresolved": ${JSON.stringify(unresolved)}`} }`,
  )
  fs.writeFileSync(output, `{\n${lines.join("")}  "symbols": [\n${bodies.join(",\n")}\n  ]\n}\n`)
  const uses = symbols.reduce((sum, { uses }) => sum + uses.length, 0)
  process.stdout.write(`${head.repository}: ${candidates.length} candidates, ${symbols.length} drawn, ${uses} uses\n`)
}
