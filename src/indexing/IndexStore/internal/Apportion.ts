/** To which symbol each part of a text belongs. */
import type { CodeSymbol } from "../../../code/Symbols.ts"

export interface Shares {
  /** The source of each symbol without that of the symbols inside it, in their order. */
  readonly own: ReadonlyArray<string>
  /** What is in no symbol. */
  readonly outside: string
}

/** Every part of the text goes to the innermost symbol around it, and to none else. `symbols`: in order of their start. */
export const apportion = (text: string, symbols: ReadonlyArray<Pick<CodeSymbol, "start" | "end">>): Shares => {
  const outside = { end: text.length, text: "" }
  const owners = symbols.map(({ end, start }) => ({ start, end, text: "" }))
  const open = [outside]
  let at = 0
  const advance = (to: number) => {
    for (let owner = open.at(-1); owner !== undefined && at < to; owner = open.at(-1)) {
      const end = Math.min(owner.end, to)
      if (end > at) owner.text += `${text.slice(at, end)}\n`
      at = Math.max(at, end)
      if (owner.end <= at) open.pop()
    }
  }
  for (const owner of owners) {
    advance(owner.start)
    open.push(owner)
  }
  advance(text.length)
  return { own: owners.map(({ text }) => text), outside: outside.text }
}
