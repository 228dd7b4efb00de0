/**
 * A source file as an answer of the search. A file that declares nothing, such as a table or a list of aliases, has no
 * symbol that could be found, and one that mostly re-exports what others declare has none for what it offers, so the
 * file itself is found. Also the entry of any file, by which a model says what the file is for (`ofContent`). Pure.
 */
import * as Shape from "../base/Shape.ts"
import * as HeadComments from "../code/HeadComments.ts"
import * as Language from "../code/Language.ts"
import * as References from "../code/References.ts"
import { contentHash } from "../code/SymbolHashes.ts"
import type { CodeSymbol, Outline } from "../code/Symbols.ts"
import { IndexEntry } from "./IndexEntry.ts"
import { choose, fromDoc, type Line, NOTHING } from "./Purposes.ts"

/** A file that can be an answer, as the index keeps it. */
export interface FileFacts {
  readonly endLine: number
  /** The first comment that states no licence, as plain text. */
  readonly doc: string | undefined
  /** True if that comment is marked as documentation of the file, or is a block; lines may be about what follows. */
  readonly isDocumented: boolean
  /** The names that it re-exports, each once. */
  readonly reexports: ReadonlyArray<string>
}

/** The kind of the entry of a file, which no symbol has. */
export const KIND = "file"

/** The most characters that are kept of a comment. */
const MAX_DOC = 2_000

/**
 * Returns what is kept of a file that can be an answer: one that declares fewer things than it re-exports, or nothing.
 * Undefined for any other. Prose, data, settings and style sheets are not code, and of a file that was not read to its
 * end it is not known what it declares.
 */
export const factsOf = (path: string, text: string, outline: Outline): FileFacts | undefined => {
  const { cut, symbols } = outline
  const language = Language.of(path, text)
  const isCode = language !== undefined && declaring.has(language.outline) && language.id !== "css"
  if (!isCode || (cut !== undefined && cut !== "syntax") || !/\p{L}/u.test(text)) return undefined
  const reexports = reexportsOf(path, language, outline)
  if (symbols.length > 0 && reexports.length <= symbols.filter(isDeclaredHere).length) return undefined
  const [comment] = HeadComments.read(text)
  const doc = comment?.text.trim().slice(0, MAX_DOC)
  return {
    endLine: text.replace(/\n$/, "").split("\n").length,
    doc: doc === "" ? undefined : doc,
    isDocumented: comment !== undefined && doc !== "" && HeadComments.isDocumentation(comment),
    reexports: namesOf(reexports),
  }
}

/**
 * Returns whether a symbol stands at the top of the file. A module of one line (`mod tcp;`) is in a file of its own.
 */
const isDeclaredHere = ({ container, endLine, kind, startLine }: CodeSymbol): boolean =>
  container === undefined && (kind !== "module" || endLine > startLine)

/**
 * Returns the exports of a file that others declare, each name once. Only some languages write them down as such. In
 * Python each import can be imported again, but only a package, which is its `__init__.py`, is made for that, and what
 * it imports from outside of it, it needs itself.
 */
const reexportsOf = (
  path: string,
  language: Language.Language,
  { references }: Outline,
): ReadonlyArray<References.NamedExpression> => {
  const isPython = language.id === "python"
  if (isPython ? nameOf(path) !== "__init__.py" : !reexporting.has(language.id)) return []
  const { exports } = References.decodeSurface(References.surfaceOf(references))
  const isOfOther = isPython ? /^"\.+[^".]/ : /^"/
  const found = exports.filter(({ expression, name }) => isOfOther.test(expression) && /^[\p{L}_$*]/u.test(name))
  return Array.from(new Map(found.map((each) => [each.name, each])).values())
}

const reexporting: ReadonlySet<string> = new Set(["rust", "typescript", "javascript"])

/** Returns the names of re-exports without those of whole modules, which are files of the project themselves. */
const namesOf = (reexports: ReadonlyArray<References.NamedExpression>): ReadonlyArray<string> =>
  reexports.flatMap(({ expression, name }) => (/^"[^"]*"\./.test(expression) && name !== "default" ? [name] : []))

/** A file has an entry if its symbols are found in one of these ways: its language can declare something. */
const declaring: ReadonlySet<Language.OutlineMethod> = new Set(["grammar", "patterns", "scripts"])

/** Returns the last part of a path: the name of the entry of the file. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Returns the entry of a file, which begins at its first line. */
export const of = (path: string, { doc, endLine }: Pick<FileFacts, "doc" | "endLine">): IndexEntry => {
  // The words of the path do not say what is in the file, so a comment that only repeats them is not left out here.
  const purpose = fromDoc({ path: "", qualifiedName: "", signature: "", doc })
  return new IndexEntry({
    path,
    name: nameOf(path),
    kind: KIND,
    startLine: 1,
    endLine,
    signature: "",
    exported: false,
    usedBy: 0,
    isMajor: false,
    hash: contentHash(KIND, path, ""),
    ...(doc !== undefined && { doc }),
    ...(purpose !== undefined && { purpose }),
  })
}

/** The content of a file with symbols, as the index has it. */
export interface Content {
  /** The digest of its text. */
  readonly hash: string
  /** The declarations, in order: kinds and qualified names of its symbols. */
  readonly declared: ReadonlyArray<string>
  readonly endLine: number
}

/**
 * Returns the entry of a file with the sentence that a model wrote of it, if any; `known` has the purposes with its
 * path, the oldest first. In place of its tokens the entry has the digest of what the file declares, so that a sentence
 * is stale only if the file declares other things, and not after each change within a function.
 */
export const ofContent = (
  path: string,
  { declared, endLine, hash }: Content,
  known: ReadonlyArray<Line>,
): IndexEntry => {
  const subject = {
    path,
    name: nameOf(path),
    qualifiedName: nameOf(path),
    kind: KIND,
    signature: "",
    hash: contentHash(KIND, path, hash),
    tokens: contentHash(KIND, path, declared.join("\n")),
  } as const
  const chosen = choose({ ...subject, doc: undefined }, known, [subject])
  // A file is asked for only if nothing else says what it is for.
  const purpose = chosen === NOTHING ? undefined : chosen
  const { qualifiedName: _, ...fields } = subject
  return new IndexEntry({
    ...fields,
    startLine: 1,
    endLine: Math.max(1, endLine),
    exported: false,
    usedBy: 0,
    isMajor: true,
    ...(purpose !== undefined && { purpose }),
  })
}

/** Returns whether an entry is that of a file, and not of a symbol in it. */
export const isFile = ({ kind }: Pick<IndexEntry, "kind">): boolean => kind === KIND

export const encode = ({ doc, endLine, isDocumented, reexports }: FileFacts): string =>
  JSON.stringify({ endLine, doc: doc ?? null, isDocumented, reexports })

const stored = Shape.json(
  Shape.struct({
    endLine: Shape.number,
    doc: Shape.nullOr(Shape.text),
    isDocumented: Shape.boolean,
    reexports: Shape.list(Shape.text),
  }),
)

/** Decodes what `encode` has written. Throws on anything else, which is damage. */
export const decode = (json: unknown): FileFacts => {
  const { doc, endLine, isDocumented, reexports } = stored(json)
  return { endLine, doc: doc ?? undefined, isDocumented, reexports }
}
