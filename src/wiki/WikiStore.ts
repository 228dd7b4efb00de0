/**
 * The store of the pages of a wiki, their evidence and their plan: a port over a folder, which is `.vibe/wiki` of the
 * project (`WikiStore/Folder`).
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { FileError } from "../code/FileError.ts"
import type * as Markdown from "./Markdown.ts"
import type { Page } from "./Page.ts"
import type { Plan } from "./Plan.ts"

export class WikiStore extends Context.Tag("vibe/wiki/WikiStore")<WikiStore, Service>() {}

export interface Service {
  /** Opens the wiki of a folder, by its real path. Nothing is made before something is kept. */
  readonly open: (root: string) => Effect.Effect<Wiki, StoreError>
}

/** The wiki was written by a newer version of vibe, and is left as it is. */
export class NewerWiki extends Data.TaggedError("NewerWiki")<{ readonly path: string; readonly version: number }> {
  override get message(): string {
    return `${this.path}: the wiki was written by a newer version of vibe (format ${this.version}), and is left as it is; install that version`
  }
}

/** A file of the wiki is not what vibe has written, and would be lost if it were replaced. */
export class DamagedWiki extends Data.TaggedError("DamagedWiki")<{ readonly path: string; readonly flaw: string }> {
  override get message(): string {
    return `${this.path}: ${this.flaw}; mend it, or remove it to have it written anew`
  }
}

export type WikiError = NewerWiki | DamagedWiki

export type StoreError = WikiError | FileError

/** The folder of the wiki, relative to the root. */
export const FOLDER = ".vibe/wiki"

/** The file of the evidence, relative to the root. */
export const STATEMENTS = `${FOLDER}/statements.jsonl`

export interface Wiki {
  /** Reads what the files have now. Fails with `NewerWiki` if a newer version has written them. */
  readonly read: Effect.Effect<Contents, StoreError>
  /**
   * Writes pages and the plan, and removes pages; files of which the text stays the same are not written. A page is
   * left as it is, and named in the result, if a person has changed its file since it was read last, or if it has the
   * marks of a merge conflict. Fails with `DamagedWiki` before anything is written if the plan would replace one that
   * cannot be read.
   */
  readonly keep: (change: Change) => Effect.Effect<Kept, StoreError>
}

export interface Contents {
  /** Sorted by name. Statements have their evidence; those without are by a person. */
  readonly pages: ReadonlyArray<Markdown.Document>
  readonly plan: Plan | undefined
  readonly flaws: ReadonlyArray<Flaw>
}

/** Something that keeps a file from being read, or a part of it. The file is not replaced. */
export interface Flaw {
  /** The path relative to the root. */
  readonly path: string
  /** The problem with it, such as `has the marks of a merge conflict`. */
  readonly flaw: string
  /** The page that cannot be read, if it is one. */
  readonly page?: string | undefined
}

export interface Change {
  readonly pages?: ReadonlyArray<Markdown.Document> | undefined
  readonly plan?: Plan | undefined
  /** Names of pages to remove. */
  readonly remove?: ReadonlyArray<string> | undefined
}

interface Kept {
  /** Names of pages whose text has changed, or that are new. */
  readonly written: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  /** Names of pages that were left as they are, because of what a person has done with their files. */
  readonly left: ReadonlyArray<string>
}

/** Returns the page with that name. */
export const pageOf = ({ pages }: Pick<Contents, "pages">, name: string): Page | undefined =>
  pages.find(({ page }) => page.name === name)?.page
