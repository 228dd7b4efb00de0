/**
 * Finds types of C# by namespace and name, in whatever file. A specifier is a namespace with slashes, `A/B<` for it and
 * those around it, `A/B<C` for `C` as a name in it, or `*` for the namespaces that a project imports for all of its
 * files. Generic types have the number of their parameters behind
 * their name.
 */
import * as path from "node:path/posix"
import { closest, type Declaration, type Declared, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared, extensions, filesIn, projectImports }: Files): Rules => {
  const typesNamed = (qualified: string, arity: number): ReadonlyArray<Declaration> =>
    declared("csharp", qualified.slice(qualified.lastIndexOf(".") + 1)).filter(
      (each) => each.qualified === qualified && each.arity === arity && each.kind !== "function",
    )

  const inNamespace = (from: string, namespace: string, name: string): Declared | undefined => {
    const [word = "", arity = "0"] = name.split("`")
    const prefix = namespace === UNNAMED ? "" : `${namespace.replaceAll("/", ".")}.`
    const all = typesNamed(prefix + word, Number(arity))
    // Several in one project are the parts of one class, whose members are all found; see `peersOf`.
    const projects = new Map<string, Declaration>()
    for (const each of all.toSorted((one, other) => rank(one, word) - rank(other, word))) {
      const project = projectOf(each.path)
      if (!projects.has(project)) projects.set(project, each)
    }
    return projects.get(projectOf(from)) ?? closest(from, Array.from(projects.values()))
  }

  let scopes: ReadonlyArray<{ readonly folder: string; readonly specifier: string }> | undefined
  /** The namespaces that are imported for a whole project, with the folder of the project. */
  const imports = () => {
    scopes ??= projectImports().map(({ path: file, specifier }) => ({ folder: projectOf(file), specifier }))
    return scopes
  }

  /** The namespaces that the project of a file imports for all of its files. */
  const importedFor = (from: string): ReadonlyArray<string> =>
    imports()
      .filter(({ folder }) => folder === "." || from.startsWith(`${folder}/`))
      .map(({ specifier }) => specifier)

  const projects = new Map<string, string>()
  /** The folder of the project around a file; its own folder if there is none. */
  const projectOf = (file: string): string => {
    const own = path.dirname(file)
    const known = projects.get(own)
    if (known !== undefined) return known
    let folder = own
    while (folder !== "." && !filesIn(folder).some(isProject)) folder = path.dirname(folder)
    const found = folder === "." && !filesIn(folder).some(isProject) ? own : folder
    projects.set(own, found)
    return found
  }

  const peers = new Map<string, ReadonlyArray<string>>()
  /** The files that have a part of a type. */
  const partsOf = (qualified: string): ReadonlyArray<string> => {
    const known = peers.get(qualified)
    if (known !== undefined) return known
    const all = declared("csharp", qualified.slice(qualified.lastIndexOf(".") + 1))
    const found = Array.from(new Set(all.filter((each) => each.qualified === qualified).map((each) => each.path)))
    peers.set(qualified, found)
    return found
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      for (const namespace of namespacesOf(specifier)) {
        const found = inNamespace(from, namespace, name)
        if (found !== undefined) return found
      }
      if (specifier !== "*") return undefined
      return closest(
        from,
        importedFor(from).flatMap((namespace) => inNamespace(from, namespace, name) ?? []),
      )
    },
    extensions: (from, name, namespaces) => {
      const { isMember, methods } = extensions("csharp", name)
      if (methods.length === 0) return { isMember, methods }
      const visible = new Set([...namespaces.flatMap(namespacesOf), ...importedFor(from), UNNAMED])
      // The namespace is around a class that holds the method, and which no other class is around.
      const all = methods.filter(({ qualified }) => visible.has(around(qualified, 2).replaceAll(".", "/") || UNNAMED))
      const own = all.filter(({ path: file }) => projectOf(file) === projectOf(from))
      return { isMember, methods: own.length > 0 ? own : all }
    },
    peersOf: (file, qualified) => {
      const all = partsOf(qualified)
      const project = all.length > 1 ? projectOf(file) : ""
      return all.filter((each) => each !== file && (project === "." || each.startsWith(`${project}/`)))
    },
  }
}

/** Returns the namespaces that a specifier may mean, innermost first. */
const namespacesOf = (specifier: string): ReadonlyArray<string> => {
  if (specifier === "*") return []
  const [around = "", inner] = specifier.split("<")
  if (inner === undefined) return [specifier]
  const found: Array<string> = []
  for (let at = around; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
    found.push(inner === "" ? at : `${at}/${inner}`)
  return [...found, inner === "" ? UNNAMED : inner]
}

/** Returns a qualified name without its last parts; empty if it has no more. */
const around = (qualified: string, parts: number): string => qualified.split(".").slice(0, -parts).join(".")

/** The main part of a class is in the file of its name, or in that of the shortest one. */
const rank = ({ path: file }: Declaration, name: string): number =>
  path.basename(file) === `${name}.cs` ? 0 : path.basename(file).length

const isProject = (file: string): boolean => file.endsWith(".csproj")
