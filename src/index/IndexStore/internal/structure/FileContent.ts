/**
 * Derives all that the tables keep of a file from its text and its outline. It needs no table, so it is done as soon as
 * there is an outline, in any order, and not while the index is written.
 */
import * as Text from "../../../../base/Text.ts"
import type * as Attributes from "../../../../code/Attributes.ts"
import * as FileClass from "../../../../code/FileClass.ts"
import * as ModuleRules from "../../../../code/ModuleRules.ts"
import * as References from "../../../../code/References.ts"
import type { Route } from "../../../../code/Routes.ts"
import * as SymbolHashes from "../../../../code/SymbolHashes.ts"
import type { CodeSymbol, SymbolHashes as Hashes, Outline } from "../../../../code/Symbols.ts"
import * as Documents from "../../../../search/Documents.ts"
import * as FileEntry from "../../../FileEntry.ts"
import { type MajorWhen, type Purpose, qualify } from "../../../IndexEntry.ts"
import { majorIn } from "../../../MajorSymbols.ts"
import { fromDoc } from "../../../Purposes.ts"

/** The text of a file and what was found in it. */
export interface Source {
  /** Undefined if the file could not be read. */
  readonly text: string | undefined
  readonly outline: Outline
  readonly routes: ReadonlyArray<Route>
  readonly language: string | undefined
}

export interface FileContent extends Source {
  readonly fileClass: FileClass.FileClass
  /** The value of the column `generated`: 1 for a generated file, `LOOKS_LIKE_CODE`, or 0. */
  readonly look: number
  readonly facts: FileEntry.FileFacts | undefined
  /** Undefined for a file that is no document of the search. */
  readonly analyzed: Documents.Analyzed | undefined
  /** The part that other files can see, see `References.surfaceOf`. */
  readonly surface: string
  /** The hash of the surface, and of all else that other files depend on. */
  readonly surfaceHash: string
  /** The symbols, in the order of the outline. */
  readonly symbols: ReadonlyArray<SymbolContent>
}

export interface SymbolContent {
  readonly symbol: CodeSymbol
  readonly qualified: string
  readonly majorWhen: MajorWhen
  readonly hashes: Hashes | undefined
  /** The purpose that its comment gives. */
  readonly purpose: Purpose | undefined
}

/** The column `generated` has this for code in a file with the name of tests, and 1 for a generated file. */
const LOOKS_LIKE_CODE = 2

/** `look`: what the column `generated` has. */
export const classOf = (path: string, declared: FileClass.Declarations, look: number): FileClass.FileClass =>
  FileClass.of(path, look === LOOKS_LIKE_CODE ? { ...declared, test: false } : declared, look === 1)

/** `declared`: the classes that attributes files declare for it. O(length of the text). */
export const derive = (
  path: string,
  source: Source,
  declared: Attributes.Declared,
  analyze: Documents.Analyzer,
): FileContent => {
  const { language, outline, text = "" } = source
  const { symbols } = outline
  const isGenerated = FileClass.looksGenerated(path, text, symbols)
  const look = FileClass.isNamedLikeTests(path, text) ? LOOKS_LIKE_CODE : Number(isGenerated)
  const fileClass = classOf(path, declared, look)
  // The scripts and fixtures of tests are too many, and would make words common that are rare in the code.
  const facts = fileClass === "code" ? FileEntry.factsOf(path, text, outline) : undefined
  const documents = documentsOf(path, symbols, Documents.splitText(text, symbols), facts)
  const surface = References.surfaceOf(outline.references)
  // Other files of C and C++ depend on `static` and on parameters, too.
  const isOfC = ModuleRules.isOfC(language ?? "")
  const names = symbols.map(
    ({ container, kind, name, signature }) => `${kind} ${qualify(name, container)}${isOfC ? ` ${signature}` : ""}`,
  )
  const majorWhen = majorIn(path, symbols, text)
  const hashes = outline.hashes ?? SymbolHashes.ofAll(path, text, symbols)
  return {
    ...source,
    // Nobody looks for the routes of a generated file.
    routes: isGenerated ? [] : source.routes,
    fileClass,
    look,
    facts,
    analyzed: documents.symbols.length > 0 ? analyze({ path, ...documents }) : undefined,
    surface,
    surfaceHash: Text.sha256([surface, ...names].join("\n")).slice(0, 16),
    symbols: symbols.map((symbol, ordinal) => {
      const qualified = qualify(symbol.name, symbol.container)
      return {
        symbol,
        qualified,
        majorWhen: majorWhen(symbol),
        hashes: hashes[ordinal],
        purpose: fromDoc({ path, qualifiedName: qualified, signature: symbol.signature, doc: symbol.doc }),
      }
    }),
  }
}

/** Returns the documents of a file. That of its entry comes after its symbols, and has the text outside of them. */
const documentsOf = (
  path: string,
  symbols: Outline["symbols"],
  text: Documents.SplitText,
  facts: FileEntry.FileFacts | undefined,
) => {
  if (facts === undefined) return { symbols, text }
  const entry = { name: FileEntry.nameOf(path), container: undefined, doc: facts.doc, signature: "" }
  const { ofSymbols, outside } = text
  return { symbols: [...symbols, entry], text: { ofSymbols: [...ofSymbols, outside], outside: "" } }
}
