/** What a bundled file of declarations exports, and which of its types nobody could name. */
import * as fs from "node:fs"
import * as path from "node:path"

/** An exported or imported name, and what it is called in the file that exports or imports it. */
interface Renamed {
  readonly name: string
  readonly alias: string
}

export interface Declarations {
  /** Its own types, classes and functions by name, each with its text. */
  readonly own: ReadonlyMap<string, string>
  readonly isExported: (name: string) => boolean
  /** What is exported of other files: some names, or all. */
  readonly exports: ReadonlyArray<{ readonly file: string; readonly names: ReadonlyArray<Renamed> | undefined }>
  /** The types of other files that a text of this file names. */
  readonly namedIn: (text: string) => ReadonlyArray<{ readonly file: string; readonly name: string }>
}

/** Of tsc's own output alone: its layout is that of a printer. */
export const parse = (file: string): Declarations => {
  const text = fs.readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "")
  const resolve = (specifier: string) => path.resolve(path.dirname(file), specifier.replace(/\.ts$/, ".d.ts"))
  const namesOf = (list: string): ReadonlyArray<Renamed> =>
    list.split(",").flatMap((each) => {
      const [name = "", alias = name] = each
        .trim()
        .replace(/^type /, "")
        .split(" as ")
      return name === "" ? [] : [{ name, alias }]
    })
  const imports = Array.from(
    text.matchAll(/^import (?:type )?\{(.*?)\} from "(\..*?)"/gm),
    ([, list = "", from = ""]) => namesOf(list).map((each) => ({ ...each, file: resolve(from) })),
  ).flat()
  const namespaces = Array.from(
    text.matchAll(/^import (?:type )?\* as (\w+) from "(\..*?)"/gm),
    ([, alias = "", from = ""]) => ({ alias, file: resolve(from) }),
  )
  const local = Array.from(text.matchAll(/^export (?:type )?\{([^}]*)\};/gm), ([, list = ""]) => namesOf(list)).flat()
  const declaration = /^(export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/
  const statements = text.split(/^(?=\S)/m).flatMap((statement) => {
    const [, exported, name] = declaration.exec(statement) ?? []
    return name === undefined ? [] : [{ name, statement, isExported: exported !== undefined }]
  })
  const exported = new Set([
    ...statements.flatMap(({ isExported, name }) => (isExported ? [name] : [])),
    ...local.map(({ name }) => name),
  ])
  return {
    own: new Map(
      Array.from(
        Map.groupBy(statements, ({ name }) => name),
        ([name, all]) => [name, all.map(({ statement }) => statement).join("")],
      ),
    ),
    isExported: (name) => exported.has(name),
    exports: [
      ...Array.from(text.matchAll(/^export (?:type )?\*.*? from "(\..*?)"/gm), ([, from = ""]) => ({
        file: resolve(from),
        names: undefined,
      })),
      ...Array.from(text.matchAll(/^export (?:type )?\{([^}]*)\} from "(\..*?)"/gm), ([, list = "", from = ""]) => ({
        file: resolve(from),
        names: namesOf(list),
      })),
      ...local.flatMap(({ alias, name }) =>
        imports.flatMap((found) =>
          found.alias === name ? [{ file: found.file, names: [{ name: found.name, alias }] }] : [],
        ),
      ),
    ],
    namedIn: (text) => [
      ...imports.filter(({ alias }) => new RegExp(`(?<![.\\w"])${alias}\\b`).test(text)),
      ...namespaces.flatMap(({ alias, file }) =>
        Array.from(text.matchAll(new RegExp(`(?<![.\\w])${alias}\\.(\\w+)`, "g")), ([, name = ""]) => ({ file, name })),
      ),
      ...Array.from(text.matchAll(/import\("(\..*?)"\)\.(\w+)/g), ([, from = "", name = ""]) => ({
        file: resolve(from),
        name,
      })),
    ],
  }
}
