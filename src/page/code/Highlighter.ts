/** Divides code into coloured parts, line by line: by a grammar of Lezer, or by a mode that reads line after line. */
import { type StreamParser, StringStream } from "@codemirror/streamparser"
import type { Parser } from "@lezer/common"
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight"

/** A part of a line. `kind` is the class that colours it, empty for none. */
interface Token {
  readonly text: string
  readonly kind: string
}

export type Line = ReadonlyArray<Token>

/** Returns the lines of a text, which add up to it. */
export type Highlighter = (code: string) => ReadonlyArray<Line>

const classes = tagHighlighter([
  { tag: [tags.comment, tags.meta], class: "tok-c" },
  { tag: [tags.string, tags.regexp, tags.attributeValue, tags.character, tags.special(tags.string)], class: "tok-s" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape, tags.color, tags.unit], class: "tok-n" },
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword, tags.self, tags.tagName],
    class: "tok-k",
  },
  { tag: [tags.typeName, tags.className, tags.namespace], class: "tok-t" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
      tags.function(tags.definition(tags.propertyName)),
      tags.attributeName,
      tags.heading,
    ],
    class: "tok-f",
  },
])

export const fromGrammar =
  (parser: Parser): Highlighter =>
  (code) => {
    const lines: Array<Array<Token>> = [[]]
    highlightCode(
      code,
      parser.parse(code),
      classes,
      (text, kind) => lines.at(-1)?.push({ text, kind }),
      () => lines.push([]),
    )
    return lines
  }

/** The classes of what modes name: `keyword`, `string.special`, `variableName.definition`. */
const kinds: ReadonlyArray<readonly [pattern: RegExp, kind: string]> = [
  [/^(?:comment|meta)/, "tok-c"],
  [/^(?:string|character|regexp|quote)/, "tok-s"],
  [/^(?:number|atom|bool|null|unit|color)/, "tok-n"],
  [/^(?:keyword|modifier|tag|builtin|self)/, "tok-k"],
  [/^(?:type|class|namespace)/, "tok-t"],
  [/^(?:def\b|variableName\.(?:definition|function)|function|attribute|property|header|heading)/, "tok-f"],
  [/^(?:inserted|positive)/, "tok-i"],
  [/^(?:deleted|negative)/, "tok-d"],
]

const kindOf = (style: string | null | undefined): string =>
  style === null || style === undefined ? "" : (kinds.find(([pattern]) => pattern.test(style))?.[1] ?? "")

const TAB = 4

/** A mode must take a character at a time at least. One that does not would never end, so the rest stays uncoloured. */
const mostSteps = 10_000

export const fromMode =
  <State>(mode: StreamParser<State>): Highlighter =>
  (code) => {
    // A mode without a start has no state, and its functions use none.
    const state = mode.startState?.(TAB) as State
    return code.split("\n").map((line) => {
      if (line === "") {
        mode.blankLine?.(state, TAB)
        return []
      }
      const stream = new StringStream(line, TAB, TAB)
      const tokens: Array<Token> = []
      for (let steps = 0; !stream.eol() && steps < mostSteps; steps++) {
        stream.start = stream.pos
        const kind = kindOf(mode.token(stream, state) ?? undefined)
        const text = stream.current()
        if (text !== "") tokens.push({ text, kind })
      }
      if (!stream.eol()) tokens.push({ text: line.slice(stream.pos), kind: "" })
      return tokens
    })
  }
