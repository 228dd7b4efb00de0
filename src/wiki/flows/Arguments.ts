/** Finds what is passed to a parameter of a function where that is called. */
import * as Effect from "effect/Effect"
import { escapePattern } from "../../base/Text.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Reference } from "../../index/IndexStore.ts"
import { bodyOf, type Frame, type Frames, isConstructor, lineAt } from "./Frames.ts"
import type { Expression } from "./IndirectCalls.ts"
import { splitList } from "./MaskedText.ts"

/** An expression, by its offsets in the file, and the function that it stands in. */
interface Argument {
  readonly frame: Frame
  readonly expression: Expression
}

/** The most uses of a function whose arguments are read. */
const MAX_USES = 40

/** The name by which an argument is given. */
const keywordOf = /^\s*([\w$]+)\s*[=:](?![=>])/

/**
 * Makes the search for a project: it returns the arguments for the parameter `name` of a function, which is that with
 * the number `position`, from 0. `files`: those of the code, whose calls count.
 */
export const make = (
  { frameOf, index, memberFrames, ownerOf, read }: Frames,
  files: ReadonlyArray<string>,
): ((entry: IndexEntry, name: string, position: number) => Effect.Effect<ReadonlyArray<Argument>, IndexError>) => {
  const code = new Set(files)

  /** Returns the uses of a function, or of its class if it is a constructor. */
  const usesOf = Effect.fnUntraced(function* (entry: IndexEntry, owner: IndexEntry | undefined) {
    const uses = [...(yield* index.references(entry))]
    if (owner === undefined) return uses
    uses.push(...(yield* index.references(owner)))
    // A class that makes objects of itself does not use another symbol.
    for (const own of yield* memberFrames(owner)) {
      for (const { index: at } of bodyOf(own).matchAll(/\bnew\s+(?:self|static)\b|\bcls\(/g)) {
        uses.push({ path: own.path, line: lineAt(own, own.start + at), symbol: own.entry.qualifiedName })
      }
    }
    return uses
  })

  /** Returns the function that a use stands in, or the whole file. */
  const frameAt = Effect.fnUntraced(function* ({ line, path, symbol }: Reference) {
    const text = yield* read(path)
    if (text === undefined) return undefined
    const around =
      symbol === undefined
        ? undefined
        : (yield* index.symbolsIn(path)).find(
            ({ endLine, qualifiedName, startLine }) => qualifiedName === symbol && startLine <= line && line <= endLine,
          )
    const whole: Frame = { ...text, entry: undefined, start: 0, end: text.text.length }
    return around === undefined ? whole : yield* frameOf(around)
  })

  return Effect.fnUntraced(function* (entry, name, position) {
    const owner = isConstructor(entry) ? yield* ownerOf(entry) : undefined
    const names = owner === undefined ? [entry.name] : [owner.name, "self", "static", "cls", entry.name]
    const called = new RegExp(
      `(?<![\\w$])(?<!\\b(?:def|function)\\s+)(?:${names.map(escapePattern).join("|")})\\s*\\(`,
      "g",
    )
    const found: Array<Argument> = []
    const lines = new Set<string>()
    const uses = (yield* usesOf(entry, owner)).filter(({ path }) => code.has(path))
    for (const use of uses.slice(0, MAX_USES)) {
      const key = `${use.path} ${use.line}`
      if (lines.has(key)) continue
      lines.add(key)
      const frame = yield* frameAt(use)
      const start = frame?.starts[use.line - 1]
      if (frame === undefined || start === undefined) continue
      const line = frame.masked.slice(start, frame.starts[use.line])
      for (const { 0: call, index: at } of line.matchAll(called)) {
        const list = splitList(frame.masked, start + at + call.length - 1)
        const keyword = list.find(([from, to]) => keywordOf.exec(frame.masked.slice(from, to))?.[1] === name)
        const [from, to] = keyword ?? list[position] ?? []
        if (from !== undefined && to !== undefined) found.push({ frame, expression: { start: from, end: to } })
      }
    }
    return found
  })
}
