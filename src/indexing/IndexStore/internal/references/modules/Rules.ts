/** What a language says about module specifiers. */

/** The files of an index, and the texts of its configuration files. */
export interface Files {
  readonly has: (path: string) => boolean
  /** The files of a folder, without those of its folders; `.` is the root. */
  readonly filesIn: (folder: string) => ReadonlyArray<string>
  /** The paths of all files with a name. */
  readonly named: (name: string) => ReadonlyArray<string>
  readonly all: () => Iterable<string>
  /** Texts by path, of those for which `isConfiguration` is true. */
  readonly configurations: ReadonlyMap<string, string>
}

export interface Rules {
  /** The paths of the files that a specifier means in the file at `from`; none for what is not in the index. */
  readonly resolve: (from: string, specifier: string) => ReadonlyArray<string>
  /** The paths of a module below another one, where a member of a package can be a module. */
  readonly below?: ((path: string, name: string) => ReadonlyArray<string>) | undefined
  /** The specifier of a member of a module, for modules that have no file of their own. */
  readonly join?: ((specifier: string, name: string) => string) | undefined
  /** Files that may pass arguments to the function that a file exports. */
  readonly callersOf?: ((path: string) => ReadonlyArray<string>) | undefined
  /** Files that may add members to the types of a file. */
  readonly peersOf?: ((path: string) => ReadonlyArray<string>) | undefined
}
