/** Files and folders that could not be read, so that their content is not in the index. */

export interface Unreadable {
  readonly files: number
  readonly folders: number
  /** The paths, at most ten; folders come first, with a slash at their end. */
  readonly paths: ReadonlyArray<string>
}

/** `paths` has all of them, as `IndexStore` returns them. */
export const count = (paths: ReadonlyArray<string>): Unreadable => {
  const folders = paths.filter(isFolder).length
  return { files: paths.length - folders, folders, paths: paths.slice(0, 10) }
}

const isFolder = (path: string): boolean => path.endsWith("/")
