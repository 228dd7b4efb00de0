/**
 * The rules of a language about module specifiers: which files one means, by the names and
 * configuration files of a project.
 */

/** A type or a function that a file declares outside of all types. */
export interface Declaration {
  readonly path: string
  readonly ordinal: number
  readonly qualified: string
  readonly kind: string
  /** The number of its type parameters. Two types of C# may differ in nothing else. */
  readonly arity: number
  /** The package that its file names, for languages whose qualified names do not begin with it. */
  readonly module: string
  /**
   * Its signature in C, C++, Kotlin and Scala, which tells macros, static functions, overloads, objects and what is
   * private; empty in other languages.
   */
  readonly signature: string
}

/** The part of a file of C or C++ that decides what the files around it see. */
export interface Unit {
  /** The files that it includes as it names them, with `<` before a name in angle brackets. */
  readonly includes: ReadonlyArray<string>
  /** The ordinals of functions that it only declares. */
  readonly prototypes: ReadonlySet<number>
}

export interface Extensions {
  readonly methods: ReadonlyArray<Declaration>
  readonly isMember: boolean
  /** True if a method has the receiver besides its parameters. In C# the receiver is the first one. */
  readonly hasReceiver?: boolean
  /** True if only methods that extend a type of the project are meant by a value whose type is known. */
  readonly isTyped?: boolean
  /** True if two types of libraries are the same that files name by the same expression. */
  readonly isSameByName?: boolean
}

/** A namespace that a file imports for all files of its project. */
export interface ProjectImport {
  readonly path: string
  readonly specifier: string
}

/** The files of an index, and the texts of its configuration files. */
export interface Files {
  readonly has: (path: string) => boolean
  /** The files of a folder, without those of its folders; `.` is the root. */
  readonly filesIn: (folder: string) => ReadonlyArray<string>
  readonly all: () => Iterable<string>
  /** The types and functions of a name in all files of a language that has namespaces or packages (`isDeclared`). */
  readonly declared: (language: string, name: string) => ReadonlyArray<Declaration>
  /** The files of Swift that declare members of a type of a qualified name. */
  readonly extended: (qualified: string) => ReadonlyArray<string>
  /** The extensions of a name in all files of a language, and whether a type has a member of that name, too. */
  readonly extensions: (language: string, name: string) => Extensions
  /** The namespaces that single files import for their whole project. */
  readonly projectImports: () => ReadonlyArray<ProjectImport>
  /** Returns what a file of C or C++ includes and only declares; `undefined` for any other file. */
  readonly unitOf: (path: string) => Unit | undefined
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
  /** Returns what a namespace or package declares under a name, for languages in which any file may do so. */
  readonly member?: ((from: string, specifier: string, name: string) => Declared | undefined) | undefined
  /**
   * Returns the extension methods of a name that a file can call. `namespaces` are the specifiers of those that it
   * imports or is in.
   */
  readonly extensions?: ((from: string, name: string, namespaces: ReadonlyArray<string>) => Extensions) | undefined
  /** True if a name that two imports of all names bring in is none that a file can use. */
  readonly hidesDoubles?: boolean | undefined
  /** True if a class and an object may have one name, so that the members of one are none of the other. */
  readonly hasCompanions?: boolean | undefined
  /** True if other files see what a module returns, and not the names that it declares. */
  readonly exportsByReturn?: boolean | undefined
  /** The specifier of a member of a module, for modules that have no file of their own. */
  readonly join?: ((specifier: string, name: string) => string) | undefined
  /** Files that may pass arguments to the function that a file exports. */
  readonly callersOf?: ((path: string) => ReadonlyArray<string>) | undefined
  /** Files that declare the same names as a file for another system, so that a use means all of them. */
  readonly twinsOf?: ((path: string) => ReadonlyArray<string>) | undefined
  /** Returns the declarations and definitions elsewhere that are the same function or variable as a symbol. */
  readonly counterparts?: ((symbol: Declared & { readonly qualified: string }) => ReadonlyArray<Declared>) | undefined
  /** Files that may add members to a type of a file. */
  readonly peersOf?: ((path: string, qualified: string) => ReadonlyArray<string>) | undefined
  /**
   * How members of a type are found if any file may add some to it: see `Mixins` and `LabelledMembers` of the index.
   */
  readonly members?: "mixed" | "labelled" | undefined
  /**
   * Returns the ancestors of the innermost type that a specifier names, as an expression.
   * Their constants are seen, too.
   */
  readonly enclosing?: ((specifier: string) => string | undefined) | undefined
  /** Returns the files by which the topmost packages are imported and started, as their configuration files say. */
  readonly entries?: (() => ReadonlyArray<string>) | undefined
}

/** A module that resolves the specifiers of a language. */
export interface ModuleResolver {
  readonly make: (files: Files) => Rules
  /** Returns whether specifiers in other files depend on the text of this file. */
  readonly isConfiguration?: (path: string) => boolean
  /** Returns names that a specifier of a file holds; `undefined` if these are the name of the file or of its folder. */
  readonly namesOf?: (path: string) => ReadonlyArray<string> | undefined
  /** True for a language whose types are found by namespace or package, in whatever file. */
  readonly findsDeclarations?: boolean
}

export interface Declared {
  readonly path: string
  readonly ordinal: number
}

/** Returns whether a symbol of such a language can be found by its name in other files. */
export const isDeclared = (language: string, kind: string): boolean =>
  kind === "class" ||
  kind === "interface" ||
  kind === "enum" ||
  kind === "type" ||
  (findsModules.has(language) ? kind === "module" || kind === "constant" : kind === "function") ||
  (hasValues.has(language) && (kind === "variable" || kind === "constant")) ||
  (language === "scala" && kind === "module") ||
  (isOfC(language) && (kind === "method" || kind === "variable" || kind === "constant"))

/** Languages whose modules hold their functions, so that these are found by way of them. */
const findsModules: ReadonlySet<string> = new Set(["elixir", "ruby"])

/** Languages whose packages hold values. */
const hasValues: ReadonlySet<string> = new Set(["kotlin", "scala"])

/** Returns whether a language is C or C++: a header can be of either. */
export const isOfC = (language: string): boolean => language === "c" || language === "cpp"

/** The specifier of the namespace or package without a name. */
export const UNNAMED = "/"

/**
 * Returns the declaration that a file means: the only one, or the one that is closest in the tree of folders, since a
 * repository may hold several programs. If two are equally close, none is returned.
 */
export const closest = <A extends Declared>(from: string, all: ReadonlyArray<A>): A | undefined => {
  if (all.length < 2) return all[0]
  const folders = from.split("/").slice(0, -1)
  const common = ({ path }: Declared): number => {
    const parts = path.split("/").slice(0, -1)
    let depth = 0
    while (depth < folders.length && depth < parts.length && folders[depth] === parts[depth]) depth++
    // A file beside is closer than one in a folder below.
    return depth === folders.length && depth === parts.length ? depth + 0.5 : depth
  }
  const most = Math.max(...all.map(common))
  const best = all.filter((each) => common(each) === most)
  return best.length === 1 || best.every(({ path }) => path === best[0]?.path) ? best[0] : undefined
}

/** Returns the paths that are in the fewest folders. The input may have hundreds of thousands. */
export const topmost = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const depths = paths.map((path) => path.split("/").length)
  const least = depths.reduce((least, depth) => Math.min(least, depth), Number.POSITIVE_INFINITY)
  return paths.filter((_, at) => depths[at] === least)
}
