/**
 * The files of Vue, Svelte and Astro: a component, with scripts among other text. Each language of a file's scripts is
 * outlined as one text. That text is as long as the file and blank except for those scripts, so that lines and offsets
 * are the file's.
 */

import * as Comment from "../../Symbols/internal/outline/Comment.ts"
import { rows } from "../../Symbols/internal/outline/ScannedNode.ts"
import type { Source } from "../../Symbols/internal/outline/Walk.ts"
import type { CodeSymbol, Outline } from "../../Symbols.ts"
import * as references from "./references.ts"

interface Scripts {
  /** The scripts. Their paths end with the extension of their language: `a.vue.ts`. */
  readonly sources: ReadonlyArray<Source>
  /** Module specifiers of `<script src="…">`. */
  readonly imports: ReadonlyArray<string>
}

interface Script {
  readonly start: number
  readonly end: number
  readonly extension: string
}

/** Returns the scripts of a file, one source for each language. */
export const scriptsOf = ({ path, text }: Source): Scripts => {
  const { imports, scripts } = find(path, text)
  const extensions = new Set(scripts.map(({ extension }) => extension))
  const sources = Array.from(extensions, (extension) => ({
    path: `${path}.${extension}`,
    text: only(
      text,
      scripts.filter((script) => script.extension === extension),
    ),
  }))
  return { sources, imports }
}

/** Joins the outlines of a file's scripts into one, with the component as a symbol. */
export const outline = (
  { path, text }: Source,
  { imports, sources }: Scripts,
  outlines: ReadonlyArray<Outline>,
): Outline => {
  const component = componentOf(path, text)
  const found = outlines.flatMap((each, part) => each.symbols.map((symbol, index) => ({ symbol, part, index })))
  const symbols = [{ symbol: component, part: -1, index: 0 }, ...found].sort(
    (one, other) => one.symbol.start - other.symbol.start,
  )
  const parts = outlines.map((each, part) => {
    const ordinals: Array<number> = []
    symbols.forEach((found, ordinal) => {
      if (found.part === part) ordinals[found.index] = ordinal
    })
    return { outline: each, text: sources[part]?.text ?? "", ordinals }
  })
  const mentions = mentionsIn(sources.reduce((rest, source) => without(rest, source.text), text))
  const identifiers = new Map<string, number>()
  const count = (name: string, times: number) => identifiers.set(name, (identifiers.get(name) ?? 0) + times)
  for (const { name } of mentions) count(name, 1)
  for (const each of outlines) for (const [name, times] of each.identifiers) count(name, times)
  return {
    symbols: symbols.map(({ symbol }) =>
      // Methods outside of a class are those of a component's options.
      symbol.kind === "method" && symbol.container === undefined ? { ...symbol, container: component.name } : symbol,
    ),
    identifiers,
    imports: [...new Set([...imports, ...outlines.flatMap((each) => each.imports)])],
    references: references.encode(
      symbols.findIndex(({ part }) => part === -1),
      parts,
      mentions,
    ),
    note: outlines.find(({ note }) => note !== undefined)?.note,
    cut: outlines.find(({ cut }) => cut !== undefined)?.cut,
  }
}

const find = (path: string, text: string) => {
  const scripts: Array<Script> = []
  const imports: Array<string> = []
  const isAstro = path.endsWith(".astro")
  const front = isAstro ? /^\s*---[ \t]*\r?\n/.exec(text) : null
  let at = 0
  if (front !== null) {
    const end = text.indexOf("\n---", front[0].length - 1)
    const stop = end === -1 ? text.length : end + 1
    scripts.push({ start: front[0].length, end: stop, extension: "ts" })
    at = Math.min(stop + 3, text.length)
  }
  for (;;) {
    opening.lastIndex = at
    const match = opening.exec(text)
    if (match === null) return { scripts, imports }
    const start = opening.lastIndex
    const isComment = match[1] === undefined
    closing.lastIndex = start
    const close = isComment ? text.indexOf("-->", start) : (closing.exec(text)?.index ?? -1)
    const end = close === -1 ? text.length : close
    const attributes = match[1] ?? ""
    const extension = isComment ? undefined : extensionOf(attributes, isAstro)
    const source = attribute(attributes, "src")
    if (source !== undefined && /^[.@~]/.test(source)) imports.push(source)
    if (extension !== undefined) scripts.push({ start, end, extension })
    at = end
  }
}

/** Tags with more attributes, or longer ones, are not taken for scripts, so that the cost of each tag has a bound. */
const opening = /<!--|<script\b((?:[^<>"']|"[^"]{0,500}"|'[^']{0,500}'){0,300})>/gi
const closing = /<\/script\b/gi

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']?([^"'\\s>]+)`, "i").exec(attributes)?.[1]

/** Returns the extension of a script's language; `undefined` for data: `type="application/ld+json"`. */
const extensionOf = (attributes: string, isAstro: boolean): string | undefined => {
  const type = attribute(attributes, "type") ?? "module"
  if (!/^(?:module|text\/(?:javascript|typescript|babel)|application\/javascript|ts)$/i.test(type)) return undefined
  // Astro reads scripts as TypeScript, except for those that it leaves as they are.
  const language = attribute(attributes, "lang") ?? (/typescript|^ts$/i.test(type) ? "ts" : isAstro ? "ts" : "js")
  const isInline = /\bis:inline\b/.test(attributes)
  return isInline ? "js" : extensions.get(language.toLowerCase())
}

const extensions: ReadonlyMap<string, string> = new Map([
  ["ts", "ts"],
  ["typescript", "ts"],
  ["tsx", "tsx"],
  ["js", "js"],
  ["javascript", "js"],
  ["jsx", "jsx"],
])

/** Returns the text with everything but those parts blank. */
const only = (text: string, parts: ReadonlyArray<{ readonly start: number; readonly end: number }>): string => {
  const pieces: Array<string> = []
  let at = 0
  for (const { end, start } of parts) {
    pieces.push(blank(text.slice(at, start)), text.slice(start, end))
    at = end
  }
  return [...pieces, blank(text.slice(at))].join("")
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ")

/** Blanks the parts of a text that another text of the same length has in the same place. */
const without = (text: string, other: string): string => {
  const pieces: Array<string> = []
  let at = 0
  for (const { 0: word, index } of other.matchAll(/\S+/g)) {
    pieces.push(text.slice(at, index), " ".repeat(word.length))
    at = index + word.length
  }
  return [...pieces, text.slice(at)].join("")
}

const componentOf = (path: string, text: string): CodeSymbol => {
  const file = path.slice(path.lastIndexOf("/") + 1)
  const name = file.slice(0, Math.max(file.lastIndexOf("."), 1))
  const start = text.length - text.trimStart().length
  const end = Math.max(text.trimEnd().length, start)
  const linesUpTo = (offset: number) => text.slice(0, offset).split("\n").length
  return {
    name,
    kind: "class",
    container: undefined,
    startLine: linesUpTo(start),
    endLine: linesUpTo(end),
    start,
    end,
    signature: `<${name}>`,
    doc: docOf(text),
    exported: true,
  }
}

/** Returns a comment with `@component`, as Svelte has it, or the comment that begins the file. */
const docOf = (text: string): string | undefined => {
  const marked = text.indexOf("@component")
  const open = marked === -1 ? -1 : text.lastIndexOf("<!--", marked)
  const start =
    open !== -1 && !text.slice(open, marked).includes("-->") ? open : (/^\s*(?=<!--)/.exec(text)?.[0].length ?? -1)
  if (start === -1) return undefined
  const end = text.indexOf("-->", start)
  const comment = text.slice(start + 4, end === -1 ? text.length : end).replace(/^\s*@component\b/, "")
  return /\b(?:eslint-|prettier-ignore|copyright|spdx)/i.test(comment) ? undefined : Comment.dedentDocstring(comment)
}

/** Returns the places in the markup that name a component, or have a word in an expression. */
const mentionsIn = (markup: string): ReadonlyArray<references.Mention> => {
  const mentions: Array<references.Mention> = []
  const row = rows(markup)
  for (const match of markup.matchAll(expressions)) {
    const [, tag, braces, value] = match
    const line = row(match.index) + 1
    if (tag !== undefined) mentions.push({ name: toPascalCase(tag), line })
    for (const [name] of (braces ?? value ?? "").matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) mentions.push({ name, line })
  }
  return mentions
}

/** Matches `<Name`, `<a-name`, `{ expression }`, and the expressions of Vue's attributes. */
const expressions =
  /<([A-Z][\w.]{0,100}|[a-z]+-[\w-]{1,100})|\{\{?([^{}\n]{1,300})\}|[\s](?:[:@#]|v-)[\w.:-]{1,100}="([^"\n]{1,500})"/g

const toPascalCase = (tag: string): string =>
  tag.includes("-") ? tag.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase()) : tag
