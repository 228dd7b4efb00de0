/** The ignore files of a checkout, each read when first needed, and cached. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type { FileError } from "../FileError.ts"
import type * as Files from "../Files.ts"
import * as LinkedWorktree from "../LinkedWorktree.ts"
import { decode, MAX_FILE_BYTES } from "./FileText.ts"
import * as IgnoreRules from "./IgnoreRules.ts"

/**
 * Returns which entries of a folder are ignored. `entries` are all entries of the folder, if the caller has them; then
 * missing ignore files are not looked up.
 */
export type IgnoreFiles = (folder: string, entries?: Entries) => Effect.Effect<Ignores, FileError>

type Entries = Files.Folder["entries"]

/** Returns whether an entry is ignored, by its name. */
export type Ignores = (name: string, kind: "file" | "folder") => boolean

/** Returns whether this is the path of an ignore file. */
export const isIgnoreFile = (path: string): boolean => /(?:^|\/)\.(?:git|vibe)ignore$/.test(path)

/**
 * Opens the ignore rules of the folders in `root`. A linked worktree of the same repository within it is left out as a
 * whole. All paths are absolute and real. Ignore files above `root` apply as well, up to the top of its checkout,
 * unless they ignore `root` itself: a user who opens an ignored folder wants its contents.
 */
export const open = Effect.fnUntraced(function* (files: Files.Service, root: string) {
  const top = yield* topOf(files, root)
  const checkout = yield* from(files, top)
  if (top === root) return checkout
  const ignores = yield* checkout(Path.dirname(root))
  return ignores(Path.basename(root), "folder") ? yield* from(files, root) : checkout
})

/** Returns the nearest folder, from `root` upwards, that holds a `.git`; `root` if there is none. */
const topOf = Effect.fnUntraced(function* (files: Files.Service, root: string) {
  for (let folder = root; ; folder = Path.dirname(folder)) {
    if (yield* Effect.isSuccess(files.stat(Path.join(folder, ".git")))) return folder
    if (folder === Path.dirname(folder)) return root
  }
})

const from = Effect.fnUntraced(function* (files: Files.Service, top: string) {
  const known = new Map<string, IgnoreRules.IgnoreRules>()
  const exclude = yield* textOf(files, Path.join(top, ".git", "info", "exclude"))
  const outermost = IgnoreRules.extend(IgnoreRules.empty, "", { git: exclude, vibe: "" })
  const begin = top.endsWith(Path.sep) ? top.length : top.length + 1
  const within = (folder: string) => folder.slice(begin).replaceAll(Path.sep, "/")

  const rulesIn = (folder: string, entries?: Entries): Effect.Effect<IgnoreRules.IgnoreRules, FileError> => {
    const kept = known.get(folder) ?? inherit(folder, entries)
    return kept === undefined ? read(folder, entries) : Effect.succeed(kept)
  }

  /**
   * Returns the rules of the folder above, if it is known that nothing in this one changes them, as for most folders of
   * a walk.
   */
  const inherit = (folder: string, entries?: Entries): IgnoreRules.IgnoreRules | undefined => {
    if (folder === top || entries === undefined || entries.some(({ name }) => telling.has(name))) return undefined
    const outer = known.get(Path.dirname(folder))
    if (outer !== undefined) known.set(folder, outer)
    return outer
  }

  const read: (folder: string, entries?: Entries) => Effect.Effect<IgnoreRules.IgnoreRules, FileError> =
    Effect.fnUntraced(function* (folder, entries) {
      const text = (name: string) =>
        entries === undefined || entries.some((entry) => entry.name === name)
          ? textOf(files, Path.join(folder, name))
          : Effect.succeed("")
      const outer = folder === top ? outermost : yield* rulesIn(Path.dirname(folder))
      if (outer === everything || (yield* isCopy(folder, entries))) {
        known.set(folder, everything)
        return everything
      }
      const rules = IgnoreRules.extend(outer, within(folder), {
        git: yield* text(".gitignore"),
        vibe: yield* text(".vibeignore"),
      })
      known.set(folder, rules)
      return rules
    })

  /** Returns whether a folder is a linked worktree that has the code of this checkout a second time. */
  const isCopy = Effect.fnUntraced(function* (folder: string, entries?: Entries) {
    if (folder === top) return false
    if (entries !== undefined && !entries.some(({ name, stat }) => name === ".git" && stat.kind === "file"))
      return false
    const shared = yield* LinkedWorktree.sharedFolderOf(files, folder)
    return shared !== undefined && (yield* LinkedWorktree.isCopyIn(files, shared, top))
  })

  const ignoreFiles: IgnoreFiles = (folder, entries) =>
    Effect.map(rulesIn(folder, entries), (rules) => {
      if (rules === everything) return () => true
      if (rules === IgnoreRules.empty) return () => false
      const prefix = folder === top ? "" : `${within(folder)}/`
      return (name, kind) => IgnoreRules.ignores(rules, prefix + name, kind)
    })
  return ignoreFiles
})

/** The names by which an entry of a folder may change what is ignored in it. */
const telling: ReadonlySet<string> = new Set([".git", ".gitignore", ".vibeignore"])

/** The rules of a linked worktree within the checkout: everything in it is left out. */
const everything: IgnoreRules.IgnoreRules = { ...IgnoreRules.empty }

/**
 * Reads an ignore file; the text is empty if it does not exist. A file that cannot be read is an error, because its
 * rules are unknown.
 */
const textOf = (files: Files.Service, path: string): Effect.Effect<string, FileError> =>
  files.readReal(path, MAX_FILE_BYTES).pipe(
    Effect.map(({ bytes }) => decode(bytes)),
    Effect.catchAll((error) => {
      switch (error.reason._tag) {
        case "NotFound":
        case "NotAFile":
        case "NotAFolder":
        case "Refused":
          return Effect.succeed("")
        default:
          return Effect.fail(error)
      }
    }),
  )
