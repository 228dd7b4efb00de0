/** The rules of a language about module specifiers. */

/** The files of an index, and the texts of its configuration files. */
export interface Files {
  readonly has: (path: string) => boolean
  /** The files of a folder, without those of its folders; `.` is the root. */
  readonly filesIn: (folder: string) => ReadonlyArray<string>
  /** The paths of all files with a name. */
  readonly named: (name: string) => ReadonlyArray<string>
  readonly all: () => Iterable<string>
  /** The texts of the files for which `isConfiguration` is true, by path. */
  readonly configurations: ReadonlyMap<string, string>
}

export interface Rules {
  /**
   * Returns the paths of the files that a specifier in the file at `from` means; none for a module outside the index.
   */
  readonly resolve: (from: string, specifier: string) => ReadonlyArray<string>
  /** Returns the paths of a module below another one, for languages in which a member of a package can be a module. */
  readonly below?: ((path: string, name: string) => ReadonlyArray<string>) | undefined
  /** The specifier of a member of a module, for modules that have no file of their own. */
  readonly join?: ((specifier: string, name: string) => string) | undefined
  /** Files that may pass arguments to the function that a file exports. */
  readonly callersOf?: ((path: string) => ReadonlyArray<string>) | undefined
  /** Files that may add members to the types of a file. */
  readonly peersOf?: ((path: string) => ReadonlyArray<string>) | undefined
}
