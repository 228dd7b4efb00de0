/** Counts what has changed between two texts of `purposes.jsonl`, by symbol. Pure. */
import * as Purposes from "../index/Purposes.ts"

export interface PurposeChanges {
  /** The number of symbols that had no line. */
  readonly new: number
  /** The number of symbols with lines that differ. */
  readonly rewritten: number
  /** The number of symbols that have no line any more. */
  readonly removed: number
}

/** Counts the changes. Linear in the number of lines. */
export const count = (before: string, after: string): PurposeChanges => {
  if (before === after) return { new: 0, rewritten: 0, removed: 0 }
  const [one, other] = [linesBySymbol(before), linesBySymbol(after)]
  let [added, rewritten] = [0, 0]
  for (const [symbol, lines] of other) {
    const former = one.get(symbol)
    if (former === undefined) added += 1
    else if (lines.length !== former.length || lines.some((line) => !former.includes(line))) rewritten += 1
  }
  return { new: added, rewritten, removed: Array.from(one.keys()).filter((symbol) => !other.has(symbol)).length }
}

const linesBySymbol = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const lines = new Map<string, Array<string>>()
  for (const { line, text: own } of Purposes.parse(text).lines) {
    const symbol = JSON.stringify([line.path, line.symbol])
    const known = lines.get(symbol)
    if (known === undefined) lines.set(symbol, [own])
    else known.push(own)
  }
  return lines
}
