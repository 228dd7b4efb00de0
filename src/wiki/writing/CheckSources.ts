/**
 * Chooses claims whose sources fit into one request of a check, and writes these sources: each as whole as there is
 * room, or else the lines that the claims speak of.
 */
import * as Effect from "effect/Effect"
import { splitSentences } from "../../base/Prose.ts"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import { quote } from "../../index/ProjectMap.ts"
import * as Excerpt from "../../lookup/Excerpt.ts"
import type { Statement } from "../Page.ts"
import * as BuildCondition from "./BuildCondition.ts"
import type * as CheckRequest from "./CheckRequest.ts"
import * as CitedUses from "./CitedUses.ts"
import type * as CountedUses from "./CountedUses.ts"
import * as DataTable from "./DataTable.ts"
import * as Declared from "./Declared.ts"
import * as Documents from "./Documents.ts"
import * as Material from "./Material.ts"
import * as MissingSources from "./MissingSources.ts"
import * as NamedMembers from "./NamedMembers.ts"
import * as Passage from "./Passage.ts"
import * as Project from "./Project.ts"
import * as SourceText from "./SourceText.ts"

/** How much a request may show. */
export interface Room {
  /** The tokens of all sources. */
  readonly tokens: number
  /** The most tokens of a source that does not fit, so that one large function leaves room for others. */
  readonly each: number
  /** The most tokens of a source that is shown whole. */
  readonly whole: number
  /** The most tokens of a document, of which only some passages matter. */
  readonly document: number
  /** The most tokens of a source of which statements have held already. */
  readonly held: number
  /** The most tokens of a source that no statement cites first: it supports what another one decides. */
  readonly beside: number
  /** The most tokens of a type with members: what is said of these cites them. */
  readonly type: number
  /** The most tokens that each long comment may show beside its beginning. */
  readonly comment: number
  /** The most sources for each statement that it does not cite, but speaks of (`MissingSources`). */
  readonly missing: number
}

/** The statements of other pages that have held, by the key of each symbol that they cite. */
export type Held = ReadonlyMap<string, ReadonlyArray<string>>

export interface Prepared {
  readonly subjects: ReadonlyArray<CheckRequest.Subject>
  readonly sources: ReadonlyArray<CheckRequest.Source>
  /** The claims that are left to a further request, since their sources do not fit beside these. */
  readonly left: ReadonlyArray<Statement>
}

/**
 * Reads the sources of claims, as many as there is room for, and those of at least one. If all were sent at once, each
 * source would have a few lines, which decide nothing.
 */
export const prepare: <E>(
  project: Project.Project<E>,
  claims: ReadonlyArray<Statement>,
  room: Room,
  uses: CountedUses.CountedUses,
  held?: Held,
) => Effect.Effect<Prepared, E> = Effect.fnUntraced(function* (project, claims, room, uses, held = new Map()) {
  const cited = new Map<Statement, ReadonlyArray<Material.Item>>()
  const deciding = new Map<Statement, ReadonlySet<string>>()
  const uncited = new Set<string>()
  for (const statement of claims) {
    const own: Array<Material.Item> = []
    const members: Array<Material.Item> = []
    for (const citation of statement.citations) {
      const items = yield* project.symbolsIn(citation.path)
      const item = Project.find(project, items, citation)
      if (item === undefined) continue
      own.push(item)
      members.push(...NamedMembers.find(items, item, statement.text))
    }
    // A method that is named decides more than an excerpt of its class.
    const missing = yield* MissingSources.find(project, [...members, ...own], statement.text, room.missing)
    for (const item of missing) uncited.add(Material.keyOf(item))
    const unique = new Map([...members, ...own, ...missing].map((item) => [Material.keyOf(item), item]))
    cited.set(statement, Array.from(unique.values()))
    deciding.set(statement, new Set(Array.from(unique.keys()).slice(0, Math.max(1, new Set(members).size))))
  }
  const all = new Map<string, Material.Item>()
  /** The claims about each source. */
  const claimsAbout = new Map<string, Array<Statement>>()
  for (const [statement, own] of cited) {
    for (const item of own) {
      const key = Material.keyOf(item)
      all.set(key, item)
      const about = claimsAbout.get(key) ?? []
      about.push(statement)
      claimsAbout.set(key, about)
    }
  }
  const found = new Map<string, Source>()
  for (const [key, item] of all) {
    const text = yield* project.sourceOf(item)
    if (text === undefined) continue
    const about = claimsAbout.get(key) ?? []
    const known = [...heldLines(held.get(key) ?? [], about), ...factLines(project.documents, item, text, about)]
    const comment = commentLines(item, text, about)
    const needed = SourceText.neededLines(
      text.split("\n"),
      item.entry,
      about.map(({ text }) => text),
      room.comment,
    )
    const raw = sizeOf(needed.join("\n")) + FRAME
    const short = shortOf(item, text, Math.min(raw, room.each))
    const complete = short === undefined ? raw : Math.min(raw, sizeOfLines(short) + FRAME)
    const least = sizeIn(room, complete)
    const isDeciding = about.some((statement) => deciding.get(statement)?.has(key))
    const most = Math.min(
      item.entry === undefined ? room.document : least,
      held.has(key) ? room.held : least,
      isDeciding ? least : room.beside,
      uncited.has(key) && !isDeciding ? MAX_MISSING : least,
      types.has(item.entry?.kind ?? "") ? room.type : least,
    )
    const above = sizeOfLines([...known, ...comment])
    const shown = Math.min(least, most)
    // Facts that the program has read of a document take the place of some of its passages.
    const size = item.entry === undefined ? Math.max(shown, shown / 2 + above) : shown + above
    found.set(key, { key, item, text, short, beside: known, comment, size, whole: complete + above, isDeciding })
  }
  const shownIn = aroundOf(Array.from(found.values()))
  const citedSources = new Map(
    Array.from(cited, ([statement, own]): readonly [Statement, ReadonlyArray<Source>] => [
      statement,
      own.flatMap((item) => {
        const source = found.get(Material.keyOf(item))
        return source === undefined ? [] : [shownIn.get(source) ?? source]
      }),
    ]),
  )
  const sourcesOf = (statement: Statement): ReadonlyArray<Source> => citedSources.get(statement) ?? []
  // A claim is not asked about if its deciding source is gone.
  const known = claims.filter((statement) => sourcesOf(statement).length > 0)
  const sent = fitting(known, sourcesOf, room.tokens)
  // The deciding source of each statement comes first, then the others.
  const ranks = Array.from({ length: room.missing === 0 ? MAX_SOURCES : MAX_SOURCES + MAX_BESIDE }, (_, rank) => rank)
  const texts = Array.from(new Set(ranks.flatMap((rank) => sent.flatMap((each) => sourcesOf(each)[rank] ?? []))))
  const insides = new Map(texts.map((source) => [source, texts.filter((other) => isInside(other, source))]))
  const apartIn = (source: Source) => positionsOf(source, insides.get(source) ?? [])
  const shares = share(
    texts.map((source) => {
      const apart = apartIn(source)
      if (apart.size === 0) return source.size
      const rest = source.text.split("\n").filter((_, at) => !apart.has(at))
      return Math.min(source.size, sizeOf(rest.join("\n")) + 2 * FRAME)
    }),
    room.tokens,
  )
  const labels = new Map<string, string>()
  const cut = new Set<string>()
  const sources: Array<CheckRequest.Source> = []
  let left = room.tokens
  for (const [at, source] of texts.entries()) {
    const { beside, comment, item, key, short, text } = source
    const label = `S${sources.length + 1}`
    const place = sanitizeLine(item.path + BuildCondition.note(yield* project.conditionOf(item.path)))
    const said = sent.filter((statement) => sourcesOf(statement).includes(source)).map(({ text }) => text)
    const own = (shares[at] ?? 0) - FRAME / 2 - sizeOfLines([...beside, ...comment])
    const isShort = short !== undefined && sizeOfLines(short) <= own
    const lines = isShort
      ? short
      : SourceText.writeFor(text, item.entry, said, Math.max(0, own), {
          apart: apartIn(source),
          comment: room.comment,
          isFilled: source.isDeciding,
        })
    const isFirst = !sources.some((other) => other.place === place)
    const name = `${label}${titleOf(item, lines)}${Material.conditionNote(item)}`
    const cost = sizeOfLines([name, ...(isFirst ? [place] : []), ...beside, ...comment, ...lines])
    if (lines.length === 0 || cost > left) continue
    left -= cost
    labels.set(key, label)
    if (SourceText.isCut(lines)) cut.add(key)
    sources.push({ label: name, place, lines: [...beside, ...withComment(comment, lines)] })
  }
  for (const [source, inner] of insides) {
    if (inner.some(({ key }) => cut.has(key) || !labels.has(key))) cut.add(source.key)
  }
  const labelOf = (source: Source | undefined) => (source === undefined ? undefined : labels.get(source.key))
  const subjects = sent.flatMap((statement): ReadonlyArray<CheckRequest.Subject> => {
    const own = sourcesOf(statement)
    if (labelOf(own[0]) === undefined) return []
    const isWhole =
      own.length === cited.get(statement)?.length &&
      own.every((source) => labelOf(source) !== undefined && !cut.has(source.key))
    const counted = uses.labelsOf.get(statement) ?? []
    const shown = Array.from(new Set([...own.flatMap((source) => labelOf(source) ?? []), ...counted]))
    return [{ statement, sources: shown, isWhole }]
  })
  const labelOfItem = (item: Material.Item) => {
    const source = found.get(Material.keyOf(item))
    return source && labelOf(shownIn.get(source) ?? source)
  }
  const resolved = yield* CitedUses.gather(
    project,
    subjects.map(({ statement }) => ({
      statement,
      items: (cited.get(statement) ?? []).map((item) => ({ item, label: labelOfItem(item) })),
    })),
  )
  const named = new Set(subjects.flatMap(({ sources }) => sources))
  return {
    subjects: subjects.map((subject) => ({
      ...subject,
      sources: resolved.about.has(subject.statement) ? [...subject.sources, CitedUses.LABEL] : subject.sources,
    })),
    sources: [
      ...sources,
      ...uses.sources.filter(({ key }) => named.has(key)),
      ...(resolved.source ? [resolved.source] : []),
    ],
    left: known.filter((statement) => !sent.includes(statement)),
  }
})

/** The most sources of a statement, and those beside them that it does not cite, in the further stage. */
const MAX_SOURCES = 4
const MAX_BESIDE = 8

/** The most tokens of a source that no statement cites: the lines that statements speak of are enough. */
const MAX_MISSING = 300

/** Symbols that are mostly their members. */
const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum", "module"])

interface Source {
  readonly key: string
  readonly item: Material.Item
  readonly text: string
  /** All of its entries in few lines, if it is data that would take more room otherwise. */
  readonly short: ReadonlyArray<string> | undefined
  /** Lines above it: facts, and statements of other pages that have held against all of it. */
  readonly beside: ReadonlyArray<string>
  /** The lines of the comment above it. */
  readonly comment: ReadonlyArray<string>
  /** The tokens that it takes at most. */
  readonly size: number
  /** The tokens that it would take without a cut. */
  readonly whole: number
  /** True if a statement is decided by it, and not only supported. */
  readonly isDeciding: boolean
}

/** Writes data in few lines (`DataTable`); undefined if that says less than all, or takes more than some tokens. */
const shortOf = (
  { entry, path }: Material.Item,
  text: string,
  maxTokens: number,
): ReadonlyArray<string> | undefined => {
  const table = entry === undefined ? undefined : DataTable.read(path, text, entry)
  const lines = table === undefined ? [] : quote(sanitize(DataTable.write(table, maxTokens - FRAME).join("\n")))
  return lines.length === 0 || SourceText.isCut(lines) || lines.some(DataTable.hasShortString) ? undefined : lines
}

const sizeOfLines = (lines: ReadonlyArray<string>): number =>
  lines
    .join("\n")
    .split("\n")
    .reduce((sum, line) => sum + Material.sizeOf(line), 0)

/** Returns whether a symbol stands within another one, such as a method in its class. */
const isInside = (one: Source, other: Source): boolean => {
  const [inner, outer] = [one.item.entry, other.item.entry]
  return (
    inner !== undefined &&
    outer !== undefined &&
    one.item.path === other.item.path &&
    outer.startLine <= inner.startLine &&
    outer.endLine >= inner.endLine &&
    outer.endLine - outer.startLine > inner.endLine - inner.startLine
  )
}

/** Returns the positions of the lines of a source that symbols within it have after their first lines. */
const positionsOf = ({ item }: Source, inner: ReadonlyArray<Source>): ReadonlySet<number> =>
  new Set(
    inner.flatMap(({ item: { entry } }) => {
      const from = (entry?.startLine ?? 0) + 1
      return Array.from(
        { length: Math.max(0, (entry?.endLine ?? 0) - from + 1) },
        (_, at) => from + at - (item.entry?.startLine ?? 1),
      )
    }),
  )

/** The most statements that are shown as held for a source, and the most characters of each. */
const MAX_HELD = 2
const MAX_HELD_LINE = 240

/** Writes the held statements that share most words with those that cite the same source. */
const heldLines = (held: ReadonlyArray<string>, claims: ReadonlyArray<Statement>): ReadonlyArray<string> => {
  if (held.length === 0) return []
  const { matches } = Excerpt.matchLines(held, claims.map(({ text }) => text).join(" "))
  return held
    .map((text, at) => ({ text, shared: matches[at]?.length ?? 0 }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, MAX_HELD)
    .map(({ text }) => `held: ${Material.cut(sanitizeLine(text), MAX_HELD_LINE)}`)
}

/** Writes the facts that the writer was given of a manifest, or of calls at the top of a file, for the check. */
const factLines = (
  documents: ReadonlyArray<Project.Document>,
  { entry, path }: Material.Item,
  text: string,
  claims: ReadonlyArray<Statement>,
): ReadonlyArray<string> => {
  if (entry !== undefined) return []
  const document = documents.find(({ item }) => item.path === path)
  const read = document?.lines ?? Declared.linesOf(Declared.atTop(path, text))
  const said = claims.map((statement) => statement.text)
  return Documents.factsFor(read, text, said).map((fact) => `${Documents.FACT}${fact}`)
}

/** The most tokens of the comment above a source. */
const MAX_COMMENT = 100

/** Writes the comment above a source, or the passages of it that claims speak of. A docstring stands in the source. */
const commentLines = (
  { entry }: Material.Item,
  text: string,
  claims: ReadonlyArray<Statement>,
): ReadonlyArray<string> => {
  const lines = (entry?.doc ?? "").split("\n").map((line) => Material.cut(sanitizeLine(line).trim(), MAX_HELD_LINE))
  const first = lines.find((line) => line !== "")
  if (first === undefined || text.includes(first)) return []
  if (lines.reduce((sum, line) => sum + Material.sizeOf(line), 0) <= MAX_COMMENT) {
    return lines.filter((line) => line !== "").map(toComment)
  }
  // Half of a sentence may say the opposite, so only whole ones are chosen.
  const sentences = splitSentences(lines.join(" ").replaceAll(/\s+/g, " ").trim())
  const said = claims.map(({ text }) => text)
  // A blank line after each makes it a passage of its own.
  const apart = sentences.flatMap((sentence) => [sentence, ""])
  const found = new Set([0, ...Array.from(Passage.find(apart, said, MAX_COMMENT), (at) => at / 2)])
  return sentences.flatMap((sentence, at) =>
    found.has(at) ? [toComment(sentence)] : found.has(at - 1) ? ["… some of it is left out"] : [],
  )
}

const toComment = (line: string): string => `# ${line}`

/** Writes a comment into the quotation of its source. */
const withComment = (comment: ReadonlyArray<string>, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  comment.length === 0 ? lines : quote(sanitize([...comment, ...lines.slice(1, -1)].join("\n")))

/** Returns the name behind the label of a source; nothing if the first line of the source has all of it. */
const titleOf = (item: Material.Item, lines: ReadonlyArray<string>): string => {
  const name = item.entry === undefined ? "the file" : Material.nameOf(item)
  const [first = ""] = lines[1]?.split("\n") ?? []
  return new Set<string>(first.match(/[\p{L}\p{N}_$]+/gu) ?? []).has(name) ? "" : ` ${name}`
}

/** The most tokens of a source that is shown without a cut in place of one within it. */
const MAX_AROUND = 300

/** Returns the source around each that stands within another one, such as a field of a type: it is not shown twice. */
const aroundOf = (sources: ReadonlyArray<Source>): ReadonlyMap<Source, Source> => {
  const isAround = (one: Source, other: Source): boolean => one.whole <= MAX_AROUND && isInside(other, one)
  return new Map(
    sources.flatMap((source) => {
      const [around] = sources
        .filter((other) => isAround(other, source))
        .toSorted((one, other) => other.size - one.size)
      return around === undefined ? [] : [[source, around] as const]
    }),
  )
}

/** Returns the statements whose sources fit, those first that take the least room beside the others; at least one. */
const fitting = (
  claims: ReadonlyArray<Statement>,
  sourcesOf: (statement: Statement) => ReadonlyArray<Source>,
  tokens: number,
): ReadonlyArray<Statement> => {
  const chosen = new Set<Statement>()
  const shown = new Set<Source>()
  let left = tokens
  const costOf = (statement: Statement): number =>
    Array.from(new Set(sourcesOf(statement))).reduce((sum, each) => sum + (shown.has(each) ? 0 : each.size), 0)
  for (;;) {
    const [next] = claims
      .filter((statement) => !chosen.has(statement))
      .map((statement) => ({ statement, cost: costOf(statement) }))
      .toSorted((one, other) => one.cost - other.cost)
    if (next === undefined || (next.cost > left && chosen.size > 0)) break
    chosen.add(next.statement)
    left -= next.cost
    for (const source of sourcesOf(next.statement)) shown.add(source)
  }
  return claims.filter((statement) => chosen.has(statement))
}

/** Tokens of the name of a source and its quotation marks. */
const FRAME = 30

/** Returns the tokens that a source takes: all of its size if it may be shown whole. */
const sizeIn = ({ each, whole }: Room, size: number): number => (size <= whole ? size : Math.min(each, size))

/** Returns the tokens of a source as it is written at most: blank lines are left out. */
const sizeOf = (text: string): number =>
  text.split("\n").reduce((sum, line) => sum + (line.trim() === "" ? 0 : Material.sizeOf(line)), 0)

/** Divides tokens among sources: each gets what it needs, or else as much as the largest share allows. */
const share = (sizes: ReadonlyArray<number>, tokens: number): ReadonlyArray<number> => {
  const order = sizes.map((size, at) => ({ size, at })).toSorted((one, other) => one.size - other.size)
  const shares = sizes.map(() => 0)
  let left = tokens
  for (const [rank, { at, size }] of order.entries()) {
    const fair = Math.floor(left / (order.length - rank))
    shares[at] = Math.min(size, fair)
    left -= shares[at]
  }
  return shares
}
