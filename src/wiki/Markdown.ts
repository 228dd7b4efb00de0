/**
 * The text of a page in git: Markdown in which each statement is a line and citations are reference links, defined at
 * the end. Printing and reading are inverse to each other. Pure.
 */
import * as Order from "effect/Order"
import * as Labels from "./Labels.ts"
import { type Page, type PageKind, type Section, START, type Statement } from "./Page.ts"
import * as StatementText from "./StatementText.ts"

/** A page with everything else that its file has. */
export interface Document {
  readonly page: Page
  /** The pictures that vibe has drawn. They are not read back into statements, and are drawn anew. */
  readonly pictures: ReadonlyArray<Picture>
  /** Links that a person defined, by their label: the rest of the line, as written. */
  readonly links: ReadonlyMap<string, string>
}

/** A picture in the language of Mermaid, behind a heading of its own. */
export interface Picture {
  readonly title: string
  readonly mermaid: string
}

export const kindOf = (name: string): PageKind =>
  name === START ? "start" : name.startsWith("flow-") ? "flow" : "part"

/** Returns a document of a page alone. */
export const fromPage = (page: Page, pictures: ReadonlyArray<Picture> = []): Document => ({
  page,
  pictures,
  links: new Map(),
})

/** Prints a page. Labels and definitions are sorted, and nothing in the text depends on line numbers or the time. */
export const print = (document: Document): string => {
  const { links, page, pictures } = normalize(document)
  const statements = page.sections.flatMap(({ blocks }) => blocks.flat())
  const targets = new Map(
    statements.flatMap(({ citations }) => citations).map((citation) => [Labels.keyOf(citation), citation]),
  )
  const labels = Labels.choose(targets.values(), reservedBy(statements, links))
  const lineOf = ({ citations, text }: Statement): string => {
    const cited = citations.map((citation) => `[${labels.get(Labels.keyOf(citation))}]`).join(" ")
    return cited === "" ? text : `${text}${StatementText.isFenced(text) ? "\n" : " "}${cited}`
  }
  const definitions = new Map([
    ...Array.from(links, ([label, rest]): readonly [string, string] => [label, rest]),
    ...Array.from(targets, ([key, target]): readonly [string, string] => [labels.get(key) ?? "", toTarget(target)]),
  ])
  return [
    `# ${page.title}`,
    ...page.sections.flatMap((section) => printSection(section, lineOf)),
    ...pictures.flatMap(({ mermaid, title }) => [`## ${title}`, `\`\`\`mermaid\n${mermaid}\n\`\`\``]),
    Array.from(definitions, ([label, rest]) => `[${label}]: ${rest}`)
      .sort(Order.string)
      .join("\n"),
  ]
    .filter((block) => block !== "")
    .map((block) => `${block}\n`)
    .join("\n")
}

const printSection = (
  { blocks, form, title }: Section,
  lineOf: (statement: Statement) => string,
): ReadonlyArray<string> => {
  const heading = title === undefined ? [] : [`## ${title}`]
  if (form === "text") {
    return [...heading, ...blocks.map((block) => block.map(lineOf).join("\n"))]
  }
  const items = blocks.map((block, number) => {
    const mark = form === "list" ? "- " : `${number + 1}. `
    const lines = block.flatMap((statement) => lineOf(statement).split("\n"))
    return lines.map((line, at) => (at === 0 ? mark + line : line === "" ? "" : INDENT + line)).join("\n")
  })
  return [...heading, items.join("\n")]
}

/** The indentation of the further lines of an item, which suffices for steps with two digits. */
const INDENT = "    "

const reservedBy = (
  statements: ReadonlyArray<Statement>,
  links: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | undefined> => {
  const reserved = new Map<string, string | undefined>()
  for (const { text } of statements) {
    for (const label of StatementText.labelsIn(text)) reserved.set(Labels.fold(label), undefined)
  }
  for (const [label, rest] of links) {
    const target = fromTarget(rest)
    reserved.set(Labels.fold(label), target && Labels.keyOf(target))
  }
  return reserved
}

/** Pages are two folders below the root. */
const TO_ROOT = "../../"

const toTarget = ({ ordinal = 0, path, symbol }: Labels.Target): string => {
  const link = TO_ROOT + path.toWellFormed().replaceAll(unsafeInLinks, toPercent)
  if (symbol === undefined) return link
  // A name that looks as if it had a number gets one.
  const name = ordinal > 0 || numbered.test(symbol) ? `${symbol} #${ordinal + 1}` : symbol
  return `${link} ${JSON.stringify(name)}`
}

const unsafeInLinks = /[\s\p{Cc}\u2028\u2029<>()[\]%#?\\"]/gu

const toPercent = (character: string): string =>
  Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("")

const numbered = / #(\d{1,6})$/

/** Reads the target of a citation; undefined for any other link. */
const fromTarget = (rest: string): Labels.Target | undefined => {
  const [, link, title] = /^(\S+)(?:\s+(".*"))?\s*$/.exec(rest) ?? []
  if (link === undefined || !link.startsWith(TO_ROOT) || link.length === TO_ROOT.length) return undefined
  const path = decode(link.slice(TO_ROOT.length))
  if (path === undefined || path.split("/").some((name) => name === "" || name === "." || name === "..")) {
    return undefined
  }
  if (title === undefined) return { path }
  const name = parseQuoted(title)
  if (name === "") return { path }
  const number = Number(numbered.exec(name)?.[1] ?? 1)
  const symbol = number === 0 ? name : name.replace(numbered, "")
  if (symbol === "") return { path }
  return number > 1 ? { path, symbol, ordinal: number - 1 } : { path, symbol }
}

const decode = (link: string): string | undefined => {
  try {
    return decodeURIComponent(link)
  } catch {
    return undefined
  }
}

const parseQuoted = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}

/**
 * Returns a document as it is read back: titles and texts on one line, escaped as they are printed, empty sections
 * joined with what follows, and ordinals only where they are needed. Evidence stays.
 */
export const normalize = ({ links, page, pictures }: Document): Document => {
  const sections: Array<{ title?: string; form: Section["form"]; blocks: Array<Section["blocks"][number]> }> = []
  for (const { blocks, form, title: raw } of page.sections) {
    const title = raw === undefined ? undefined : toTitle(raw)
    const last = sections.at(-1)
    if (title === undefined && blocks.length === 0) continue
    const own = blocks.map(([first, ...others]): Section["blocks"][number] => [
      normalizeStatement(first, form),
      ...others.map((other) => normalizeStatement(other, form)),
    ])
    if (title !== undefined) sections.push({ title, form: own.length === 0 ? "text" : form, blocks: own })
    else if (last === undefined) sections.push({ form, blocks: own })
    else if (last.form === form) last.blocks.push(...own)
    else if (last.blocks.length === 0) Object.assign(last, { form, blocks: own })
    else sections.push({ form, blocks: own })
  }
  return {
    page: { ...page, kind: kindOf(page.name), title: toTitle(page.title), sections },
    pictures: pictures.map(({ mermaid, title }) => ({
      title: toTitle(title),
      mermaid: mermaid.replaceAll(/^\s*`{3,}.*$/gm, "").replaceAll(/^\n+|\n+$/g, ""),
    })),
    links,
  }
}

const normalizeStatement = (statement: Statement, form: Section["form"]): Statement => ({
  ...statement,
  text: toText(statement.text, form),
  citations: statement.citations.map(({ ordinal, ...citation }) =>
    ordinal === undefined || ordinal === 0 || citation.symbol === undefined ? citation : { ...citation, ordinal },
  ),
})

/** The lines of a paragraph are not indented, so none of them may begin like a list. */
const toText = (text: string, form: Section["form"]): string => {
  const line = StatementText.toLine(text) || "…"
  return form === "text" && !StatementText.isFenced(line) ? StatementText.escapeBlock(line) : line
}

const toTitle = (title: string): string =>
  title
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^(?:# )+|(?: #+)+$/g, "")
    .trim() || "…"

/**
 * Reads a page, whatever a person has made of it: nothing in it is an error. All statements are claims of a person
 * here, and citations have no hashes; `Evidence.join` adds what is known of them.
 */
export const parse = (name: string, text: string): Document => {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
  const { body, definitions } = takeDefinitions(lines)
  const citations = new Map<string, Labels.Target>()
  for (const [label, rest] of definitions) {
    const target = fromTarget(rest)
    if (target !== undefined) citations.set(Labels.fold(label), target)
  }
  const { pictures, sections, title } = readBody(body, citations)
  const page: Page = { name, kind: kindOf(name), title: title ?? name, sections }
  const written = new Set(
    sections.flatMap(({ blocks }) =>
      blocks.flat().flatMap((each) => StatementText.labelsIn(each.text).map(Labels.fold)),
    ),
  )
  const links = new Map(
    Array.from(definitions).filter(([label]) => written.has(Labels.fold(label)) || !citations.has(Labels.fold(label))),
  )
  return { page, pictures, links }
}

const DEFINITION = /^\[((?:[^[\]\\]|\\.)+)\]:\s+(\S.*)$/

/** Separates the definitions of links, by their labels, from all other lines. */
const takeDefinitions = (lines: ReadonlyArray<string>) => {
  const definitions = new Map<string, string>()
  const body: Array<string> = []
  let fence: string | undefined
  for (const line of lines) {
    const definition = fence === undefined ? DEFINITION.exec(line) : null
    if (definition !== null) {
      const [, label = "", rest = ""] = definition
      // Markdown uses the first of two definitions.
      if (!definitions.has(label)) definitions.set(label, rest)
      continue
    }
    const opened = StatementText.FENCE.exec((ITEM.exec(line)?.[2] ?? line).trim())?.[1]
    if (fence === undefined) fence = opened
    else if (StatementText.closes(line, fence)) fence = undefined
    body.push(line)
  }
  return { body, definitions }
}

/** An item of a list, or a step with its number. */
const ITEM = /^(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)$/

type Blocks = Array<Array<Statement>>

/** A section while it is read. */
interface OpenSection {
  readonly title?: string
  form: Section["form"]
  readonly blocks: Blocks
}

const readBody = (lines: ReadonlyArray<string>, citations: ReadonlyMap<string, Labels.Target>) => {
  const sections: Array<OpenSection> = []
  const pictures: Array<Picture> = []
  let title: string | undefined
  /** True if the next line can go on the last block. */
  let isOpen = false
  const add = (form: Section["form"], statement: Statement, isNew: boolean) => {
    const last = sections.at(-1)
    if (last !== undefined && last.form === form) {
      const block = last.blocks.at(-1)
      if (!isNew && block !== undefined) block.push(statement)
      else last.blocks.push([statement])
    } else if (last !== undefined && last.blocks.length === 0) {
      last.form = form
      last.blocks.push([statement])
    } else {
      sections.push({ form, blocks: [[statement]] })
    }
    isOpen = true
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const last = sections.at(-1)
    const isInItem = last !== undefined && last.form !== "text" && last.blocks.length > 0
    if (line === "") {
      isOpen = isOpen && isInItem
      continue
    }
    const heading = /^(#{1,2})(?:\s+(.*))?$/.exec(line)
    if (heading !== null) {
      const text = toTitle(heading[2] ?? "")
      if (heading[1] === "#" && title === undefined) title = text
      else sections.push({ title: text, form: "text", blocks: [] })
      isOpen = false
      continue
    }
    const isIndented = /^\s{2,}\S/.test(line) && isInItem
    const item = ITEM.exec(line)
    const form = isIndented ? last.form : item === null ? "text" : item[1] === undefined ? "list" : "steps"
    const content = (item?.[2] ?? line).trim()
    const isNew = !(isIndented || (item === null && isOpen && last?.form === "text"))
    const fence = StatementText.FENCE.exec(content)
    if (fence === null) {
      add(form, toStatement(content, citations), isNew)
      continue
    }
    const end = lines.findIndex((next, index) => index > at && StatementText.closes(next, fence[1] ?? ""))
    const block = lines.slice(at + 1, end === -1 ? lines.length : end)
    at = end === -1 ? lines.length : end
    const own = isIndented || item !== null ? block.map(unindent) : block
    const isPicture = fence[2] === "mermaid" && last?.title !== undefined && last.blocks.length === 0
    if (isPicture && isAloneUntilHeading(lines, at + 1)) {
      sections.pop()
      pictures.push({ title: last.title, mermaid: own.join("\n").replaceAll(/^\n+|\n+$/g, "") })
      isOpen = false
      continue
    }
    const below = citationsAlone(lines[at + 1], citations)
    if (below !== undefined) at += 1
    add(form, { ...BARE, text: [content, ...own, fence[1] ?? ""].join("\n"), citations: below ?? [] }, isNew)
  }
  return { title, pictures, sections: sections.map(toSection) }
}

const unindent = (line: string): string => line.replace(/^ {1,4}/, "")

const isAloneUntilHeading = (lines: ReadonlyArray<string>, from: number): boolean => {
  const next = lines.slice(from).find((line) => line !== "")
  return next === undefined || /^#{1,2}(?:\s|$)/.test(next)
}

/** Reads the line of citations below a fenced block; undefined if the line is something else. */
const citationsAlone = (line: string | undefined, known: ReadonlyMap<string, Labels.Target>) => {
  if (line === undefined || !/^\s*\[/.test(line)) return undefined
  // The first bracket of a line of its own would be a text, so one is put in front.
  const { citations, text } = toStatement(`x ${line.trim()}`, known)
  return text === "x" ? citations : undefined
}

const BARE = { kind: "claim", author: "person" } as const

const toStatement = (line: string, known: ReadonlyMap<string, Labels.Target>): Statement => {
  const citations: Array<Labels.Target> = []
  let text = line
  for (;;) {
    const end = StatementText.LAST_BRACKET.exec(text)
    const target = known.get(Labels.fold(end?.[1] ?? ""))
    if (end === null || end.index === 0 || target === undefined) break
    citations.unshift(target)
    text = text.slice(0, end.index)
  }
  return { ...BARE, text, citations }
}

const toSection = ({ blocks, form, title }: OpenSection): Section => ({
  ...(title !== undefined && { title }),
  form,
  blocks: blocks.flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const])),
})
