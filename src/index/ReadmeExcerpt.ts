/**
 * Takes from a README what somebody who has never seen the project wants to know, within a limit: what it is, how it is
 * installed and first used, what is configured. Its beginning alone ends before these with a list of features. Pure.
 */
import * as DocumentSections from "../base/DocumentSections.ts"
import { firstSentence } from "../base/ProjectDocuments.ts"

/** The share of the room of each kind of section. What one leaves the later ones get. */
const KINDS: ReadonlyArray<{ readonly heading: RegExp; readonly share: number }> = [
  {
    heading: /usage|example|start\b|getting started|first|tutorial|basic|how (?:to|it)|synopsis|running/i,
    share: 0.34,
  },
  { heading: /install|setup|set up|download|requirement|prerequisite/i, share: 0.3 },
  { heading: /config|setting|option|command|api\b|customi[sz]|environment/i, share: 0.5 },
  { heading: /feature|highlight|what|why|about|overview|introduction|concept|architecture/i, share: 0.7 },
]

/** Sections of no use to a reader of the code. */
const BESIDE =
  /sponsor|donat|license|contribut|acknowledg|credit|thank|changelog|badge|table of contents|^contents$|community|contact|author|star history|benchmark/i

/** The share that what the project is may take: the section with the sentence that says it, or else the first one. */
const HEAD = 0.4

/** The least characters of a section that are worth its heading. */
const MIN_ROOM = 60

interface Section {
  readonly at: number
  readonly heading: string
  readonly title: string
  readonly body: string
}

/**
 * Returns a README as a whole if it fits, and else the first lines of the sections that matter, in their order.
 */
export const of = (readme: string, most: number): string => {
  const text = readme.trim()
  if (text.length <= most) return text
  const sections = sectionsOf(text)
  if (sections.length < 3) return cut(text, most)
  const chosen = new Map<number, string>()
  const left = () => most - Array.from(chosen.values()).reduce((sum, part) => sum + part.length + 2, 0)
  /** Chooses a section, or more of one that is cut, within some room, which counts what it has already. */
  const take = ({ at, body, heading }: Section, room: number) => {
    const before = chosen.get(at)?.length ?? 0
    const all = Math.floor(Math.min(room, left() + before - 2))
    if (body === "" || all < MIN_ROOM + heading.length || all <= before) return
    chosen.set(at, heading + cut(body, all - heading.length))
  }
  const [head] = sections
  if (head !== undefined) take(head, most * HEAD)
  const ofKind = KINDS.map(({ heading, share }) => ({
    share,
    own: sections.slice(1).filter(({ title }) => heading.test(title) && !BESIDE.test(title)),
  }))
  for (const { own, share } of ofKind) {
    const end = left() * (1 - share)
    for (const section of own) if (!chosen.has(section.at)) take(section, left() - end)
  }
  const others = sections.filter(({ title }) => !BESIDE.test(title))
  for (const section of [...ofKind.flatMap(({ own }) => own), ...others]) {
    take(section, (chosen.get(section.at)?.length ?? 0) + left())
  }
  return sections.flatMap(({ at }) => chosen.get(at) ?? []).join("\n\n")
}

/** Divides a README; the first section is the one that says what the project is, from that sentence on. */
const sectionsOf = (text: string): ReadonlyArray<Section> => {
  const sections = DocumentSections.read(text).map(({ lines, title }, at) => ({
    at,
    title,
    heading: title === "" ? "" : `## ${title}\n`,
    body: lines.join("\n").trim(),
  }))
  const words =
    firstSentence(text)
      ?.match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, WORDS) ?? []
  const pattern = words.length < WORDS ? undefined : new RegExp(words.join("[^\\p{L}\\p{N}]+"), "u")
  const found = pattern === undefined ? undefined : sections.find(({ body }) => pattern.test(body))
  const filled = sections.filter(({ body }) => body !== "")
  const head = found ?? filled[0]
  if (head === undefined) return []
  const from = pattern === undefined ? -1 : head.body.split("\n").findIndex((line) => pattern.test(line))
  const body = from <= 0 ? head.body : head.body.split("\n").slice(from).join("\n")
  // News and thanks stand above what the project is, and have its heading with them then.
  const own = { ...head, body, heading: from > 0 ? "" : head.heading }
  return [own, ...filled.filter(({ at }) => at !== head.at && (head.title !== "" || at > head.at))]
}

/** The words of the sentence that says what a project is by which it is found, since marks stand between them. */
const WORDS = 4

/**
 * Cuts a text after its last line that fits, or within a line that is too long. A block of code that is cut is closed.
 */
const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const beginning = text.slice(0, Math.max(0, most - 5))
  const end = beginning.lastIndexOf("\n")
  const kept = (end > most / 2 ? beginning.slice(0, end) : beginning).trimEnd().toWellFormed()
  const isOpen = (kept.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
  return `${kept}…${isOpen ? "\n```" : ""}`
}
