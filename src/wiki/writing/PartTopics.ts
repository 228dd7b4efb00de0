/**
 * Assigns the sections of a project's documents to the parts whose code they are about. What the authors explain to
 * users is what readers of a page ask about, and names alone do not say what matters. Pure but for reading the project.
 */
import * as Effect from "effect/Effect"
import { splitSentences } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Labels from "../Labels.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import * as Material from "./Material.ts"
import * as Project from "./Project.ts"

/** The lines of the topics of each part, by its name, the most telling ones first. */
export type Topics = ReadonlyMap<string, ReadonlyArray<string>>

/** A word of the heading says more of what a section is about than one below it. */
const TITLE = 3

/** The characters of a section that are read: a longer one, such as a list of all functions, is about no part. */
const MAX_SECTION = 6_000

/** A section that has fewer words of a part, weighed by how rare they are, is about none. */
const MIN_SCORE = 6

/** The most characters of the first sentences of a section, and of a list that they introduce. */
const MAX_OPENING = 200
const MAX_ITEMS = 200

/** The most names that the rest of a section has in code. */
const MAX_NAMES = 9

/** Sections on what a page of the code has no place for. */
const BESIDE =
  /^(?:table of contents|contents|links|donate|licen[cs]e|about|authors?|.* authors|other notes|security policy|changelog|what.?s new|contribut\w*|credits|overall process|getting the code|acknowledg\w*|sponsors?|faq|see also|next steps|index|todo|roadmap|issues|prerequisites|requirements|installation|api(?: reference)?|.*\bguides?|.* is now available!?|\d[\d.x]*)$/i

/** Finds the topics of all parts. Each section is given to one part, so that no two pages tell the same. */
export const assign: <E>(project: Project.Project<E>, parts: ReadonlyArray<Part>) => Effect.Effect<Topics, E> =
  Effect.fnUntraced(function* (project, parts) {
    const sections = (yield* project.sections).filter(({ text, title }) => !BESIDE.test(title) && text.trim() !== "")
    if (sections.length === 0) return new Map()
    const words = new Map<string, ReadonlySet<string>>()
    for (const part of parts) {
      const items = yield* Project.itemsOf(project, part)
      const names = items.flatMap(({ entry }) => (entry === undefined ? [] : [entry.name]))
      const isOwn = Places.membershipOf(part)
      const stems = part.files.filter((path) => isOwn({ path })).map(stemOf)
      words.set(part.name, new Set([...names, ...stems].flatMap(wordsOf)))
    }
    const inParts = countOf(words.values())
    const read = sections.map((section) => ({
      section,
      title: new Set(wordsOf(section.title)),
      own: new Set(wordsOf(`${section.title}\n${section.text.slice(0, MAX_SECTION)}`)),
    }))
    const inSections = countOf(read.map(({ own }) => own))
    const rarity = (word: string) =>
      Math.log2(1 + parts.length / (inParts.get(word) ?? 1)) *
      Math.log2(1 + sections.length / (inSections.get(word) ?? 1))
    const found = new Map<string, Array<{ readonly title: string; readonly line: string; readonly score: number }>>()
    for (const { own, section, title } of read) {
      const [best] = parts
        .map(({ name }) => {
          const known = words.get(name) ?? new Set<string>()
          const score = Array.from(own).reduce(
            (sum, word) => sum + (known.has(word) ? rarity(word) * (title.has(word) ? TITLE : 1) : 0),
            0,
          )
          return { name, score: score / Math.log2(16 + known.size) }
        })
        .toSorted((one, other) => other.score - one.score)
      if (best === undefined || best.score < MIN_SCORE) continue
      const list = found.get(best.name) ?? []
      list.push({ title: section.title.toLowerCase(), line: lineOf(section), score: best.score })
      found.set(best.name, list)
    }
    return new Map(
      Array.from(found, ([name, list]) => [
        name,
        list.toSorted((one, other) => other.score - one.score).map(({ line }) => line),
      ]),
    )
  })

const countOf = (sets: Iterable<ReadonlySet<string>>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const words of sets) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const stemOf = (path: string): string => {
  const [name = "", folder = ""] = path.split("/").toReversed()
  return Labels.standsForFolder(name) ? folder : name.replace(/\..*$/, "")
}

/** Names as they are, and the words that they are put together of. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(/[\p{L}\p{N}_$]{3,}/gu) ?? []).flatMap((name) => {
    const parts = name
      .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
      .split(/[\s_$]+/)
      .map((word) => word.toLowerCase().replace(/(?<=\p{L}{3})s$/u, ""))
      .filter((word) => word.length > 2)
    return parts.length > 1 ? [name.toLowerCase(), ...parts] : parts
  })

/**
 * Writes the heading of a section with its first sentences, the items of a list that they introduce, and the names that
 * the rest of it has in code, such as options: what it explains beside them is for the code to show.
 */
const lineOf = ({ path, text, title }: Project.DocumentSection): string => {
  const paragraphs = text
    .replaceAll(/^\s*(?:```|~~~)[\s\S]*?^\s*(?:```|~~~).*$/gm, "")
    .replaceAll(/\]\([^()\s]*\)/g, "]")
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
  const at = paragraphs.findIndex((each) => /^\s*[\p{L}`*:"'(]/u.test(each) && each.trim().length > 20)
  const prose = oneLine(paragraphs[at] ?? "")
  const sentences = splitSentences(prose)
  const count = sentences.findIndex((_, last) => sentences.slice(0, last + 2).join(" ").length > MAX_OPENING)
  const opening = Material.cut(sentences.slice(0, count === -1 ? sentences.length : count + 1).join(" "), MAX_OPENING)
  const list = opening.endsWith(":") && opening.endsWith(prose) ? (paragraphs[at + 1] ?? "") : ""
  const items = list
    .split("\n")
    .filter((line) => /^\s*(?:[-*+|]|\d+\.)\s*[^-|\s]/.test(line))
    .map((line) => oneLine(line.replace(/^\s*(?:[-*+|]|\d+\.)\s*/, "").replaceAll("|", " ")))
  const said = [opening, Material.cut(items.join("; "), MAX_ITEMS)].filter((each) => each !== "").join(" ")
  const names = Array.from(text.matchAll(CODE), ([, name = ""]) => name)
  const others = Array.from(new Set(names)).filter((name) => !said.includes(name))
  const also = others.length === 0 ? "" : ` (names: ${others.slice(0, MAX_NAMES).join(", ")})`
  const place = `${path.slice(path.lastIndexOf("/") + 1)}, ${title}`
  return sanitizeLine(`${place}${said === "" ? "" : `: ${said}`}${also}`)
}

/** A name in code: what stands between two names has spaces inside of its quotation marks. */
const CODE = /(?<![`\w])`([^`\s](?:[^`\n]{0,28}[^`\s])?)`(?![`\w])/g

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** Returns the first lines within a limit of tokens. */
export const within = (lines: ReadonlyArray<string>, maxTokens: number): ReadonlyArray<string> => {
  let left = maxTokens
  return lines.filter((line) => {
    left -= Material.sizeOf(line) + 1
    return left >= 0
  })
}
