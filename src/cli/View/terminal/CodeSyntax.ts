/**
 * Divides code of an answer into comments, strings, numbers, keywords and the rest, line by line. It is no parser. It
 * has to be right for usual code in a chat, in the languages that models write most, and fast while the code is
 * streamed. Pure.
 */

export type Kind = "comment" | "string" | "number" | "keyword" | "added" | "removed" | "other"

/** A part of a line. */
export interface Span {
  readonly kind: Kind
  readonly length: number
}

/** The state at the beginning of a line: in a comment or string of several lines, or in neither. */
export type State = { readonly kind: "comment" | "string"; readonly end: string } | undefined

interface Language {
  /** Beginnings of a comment up to the end of its line. */
  readonly lineComments: ReadonlyArray<string>
  /** Pairs that may span lines. */
  readonly blocks: ReadonlyArray<readonly [start: string, end: string, kind: "comment" | "string"]>
  /** Quotes of strings that end with their line. */
  readonly quotes: string
  readonly keywords: ReadonlySet<string>
}

/**
 * Returns the spans of a line, which are together as long as the line. `language` is the word after the fence, in any
 * case.
 */
export const spans = (
  line: string,
  language: string,
  state: State,
): { readonly spans: ReadonlyArray<Span>; readonly state: State } => {
  const name = /^[\w+#-]*/.exec(language.toLowerCase())?.[0] ?? ""
  if (name === "diff" || name === "patch")
    return { spans: [{ kind: kindOfDiff(line), length: line.length }], state: undefined }
  const found = languages.get(name)
  // A longer line is data.
  if (found === undefined || line.length > MAX_LINE_CHARS)
    return { spans: [{ kind: "other", length: line.length }], state: undefined }
  return scan(line, found, state)
}

const MAX_LINE_CHARS = 2000

const kindOfDiff = (line: string): Kind => (line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "other")

const scan = (line: string, language: Language, begin: State) => {
  const spans: Array<Span> = []
  let state = begin
  let at = 0
  const take = (kind: Kind, length: number): void => {
    const last = spans.at(-1)
    if (length === 0) return
    if (last?.kind === kind) spans[spans.length - 1] = { kind, length: last.length + length }
    else spans.push({ kind, length })
    at += length
  }
  while (at < line.length) {
    if (state !== undefined) {
      const { end, kind } = state
      const found = line.indexOf(end, at)
      if (found === -1) take(kind, line.length - at)
      else {
        take(kind, found + end.length - at)
        state = undefined
      }
      continue
    }
    const rest = line.slice(at)
    const block = language.blocks.find(([start]) => rest.startsWith(start))
    if (block !== undefined) {
      const [start, end, kind] = block
      take(kind, start.length)
      state = { kind, end }
    } else if (language.lineComments.some((start) => startsComment(line, at, start))) take("comment", rest.length)
    else if (language.quotes.includes(rest.charAt(0))) {
      const length = lengthOfString(rest)
      take(length === 1 ? "other" : "string", length)
    } else {
      const word = /^[A-Za-z_$][\w$]*/.exec(rest)?.[0]
      const number =
        word === undefined ? /^(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)/i.exec(rest)?.[0] : undefined
      if (word !== undefined) take(language.keywords.has(word) ? "keyword" : "other", word.length)
      else if (number !== undefined) take("number", number.length)
      else take("other", 1)
    }
  }
  return { spans, state }
}

/** `#` begins a comment only after white space: `$#` and `a#b` do not. */
const startsComment = (line: string, at: number, start: string): boolean =>
  line.startsWith(start, at) && (start !== "#" || at === 0 || /\s/.test(line.charAt(at - 1)))

/**
 * The length up to the closing quote, or else to the end of the line. An apostrophe that is not closed is no quote, and
 * has the length 1.
 */
const lengthOfString = (text: string): number => {
  const quote = text.charAt(0)
  for (let at = 1; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++
    else if (text.charAt(at) === quote) return at + 1
  }
  return quote === "'" ? 1 : text.length
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const cKeywords =
  "abstract as async await break case catch class const continue def default defer delete do else enum export extends extern final finally fn for foreach from func function get go goto if impl implements import in instanceof interface internal is let loop match mod mut namespace new of operator override package private protected pub public readonly return satisfies sealed select self set sizeof static struct super switch this throw throws trait try type typeof union unsafe using val var virtual void volatile when where while with yield true false null undefined nil int long float double bool boolean char string byte"

const cLike: Language = {
  lineComments: ["//"],
  blocks: [["/*", "*/", "comment"]],
  quotes: "\"'",
  keywords: words(cKeywords),
}

/** Lifetimes in Rust begin with an apostrophe. */
const rust: Language = { ...cLike, quotes: '"' }

const withTemplates: Language = { ...cLike, blocks: [...cLike.blocks, ["`", "`", "string"]] }

const python: Language = {
  lineComments: ["#"],
  blocks: [
    ['"""', '"""', "string"],
    ["'''", "'''", "string"],
  ],
  quotes: "\"'",
  keywords: words(
    "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield True False None",
  ),
}

const ruby: Language = {
  ...python,
  blocks: [],
  keywords: words(
    "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield defmodule fn",
  ),
}

const shell: Language = {
  ...ruby,
  keywords: words(
    "case do done elif else esac exit export fi for function if in local return set source then until while",
  ),
}

const data: Language = { ...ruby, keywords: words("true false null yes no on off") }

const sql: Language = {
  lineComments: ["--"],
  blocks: [["/*", "*/", "comment"]],
  quotes: "\"'",
  keywords: new Set(
    "all alter and as asc begin between by case commit create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null on or order outer primary references returning right select set table then true union unique update values view when where with"
      .split(" ")
      .flatMap((word) => [word, word.toUpperCase()]),
  ),
}

const lua: Language = {
  lineComments: ["--"],
  blocks: [],
  quotes: "\"'",
  keywords: words(
    "and break do else elseif end false for function if in local nil not or repeat return then true until while where let of case data type module import",
  ),
}

const markup: Language = { lineComments: [], blocks: [["<!--", "-->", "comment"]], quotes: '"', keywords: new Set() }

const css: Language = { lineComments: [], blocks: [["/*", "*/", "comment"]], quotes: "\"'", keywords: new Set() }

const languages: ReadonlyMap<string, Language> = new Map(
  (
    [
      ["ts tsx js jsx mjs cjs typescript javascript go golang", withTemplates],
      [
        "java c h cpp c++ cc hpp cs csharp c# swift kotlin kt scala dart php objc zig proto groovy json json5 jsonc",
        cLike,
      ],
      ["rust rs", rust],
      ["python py", python],
      ["ruby rb elixir ex exs crystal perl pl r julia", ruby],
      ["sh bash zsh fish shell console makefile make dockerfile docker", shell],
      ["yaml yml toml ini conf properties env", data],
      ["sql postgresql mysql sqlite", sql],
      ["lua haskell hs elm", lua],
      ["html xml svg vue svelte", markup],
      ["css scss less", css],
    ] as const
  ).flatMap(([names, language]) => names.split(" ").map((name) => [name, language] as const)),
)
