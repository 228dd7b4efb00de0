/** Files and folders that could not be read, so that what they hold is not in the index. */
import * as Schema from "effect/Schema"

export const Unreadable = Schema.Struct({
  files: Schema.Number,
  folders: Schema.Number,
  /** Folders first, with a slash at their end: at most ten of all. */
  paths: Schema.Array(Schema.String),
})
export type Unreadable = typeof Unreadable.Type

/** `paths`: all of them, as `IndexStore` has them. */
export const count = (paths: ReadonlyArray<string>): Unreadable => {
  const folders = paths.filter(isFolder).length
  return { files: paths.length - folders, folders, paths: paths.slice(0, 10) }
}

const isFolder = (path: string): boolean => path.endsWith("/")
