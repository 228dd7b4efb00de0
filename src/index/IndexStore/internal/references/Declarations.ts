/**
 * The types and functions of languages in which any file of a namespace or package can declare a name: by their names,
 * and after a change the names that are declared anew or are gone. Files that mention those are resolved again.
 */

import * as ModuleRules from "../../../../code/ModuleRules.ts"
import * as Modules from "../../../../code/Modules.ts"
import * as References from "../../../../code/References.ts"
import type { Row, Statements } from "../../../../disk/Sqlite.ts"

export const schema = `
  -- names that were declared anew or are gone since links were found, see Declarations
  create table changed_name (name text primary key) strict, without rowid;
`

/** The changed name that stands for all names. */
export const ALL = "*"

export const changedNames = (sql: Statements): ReadonlyArray<string> =>
  sql("select name from changed_name")
    .all()
    .map(({ name }) => String(name))

/** The names that a file declares, and what it imports for its whole project. */
export interface Declared {
  readonly names: ReadonlySet<string>
  readonly imports: string
}

export const nothing: Declared = { names: new Set(), imports: "" }

interface Named {
  readonly qualified: string
  readonly kind: string
  readonly signature: string
}

export const declaredBy = (
  { language, path }: { readonly language: string | undefined; readonly path: string },
  symbols: Iterable<Named>,
  surface: string,
): Declared => {
  if (language === undefined || !Modules.languagesWithDeclarations.has(language)) return nothing
  const names = new Set<string>()
  for (const { kind, qualified, signature } of symbols) {
    // Another package or number of type parameters is another type.
    if (ModuleRules.isDeclared(language, kind))
      names.add(
        hasSignatures(language)
          ? [qualified, kind, signature, packageOf(surface)].join(" ")
          : [qualified, kind, packageOf(surface), arityOf(language, signature, qualified)].join(" "),
      )
    else if (language === "swift" && qualified.includes("."))
      // An extension is no symbol: its type has other members.
      names.add(`${qualified.slice(0, qualified.lastIndexOf("."))} ${EXTENSION} of a type`)
    else if (language === "csharp" && kind !== "module")
      names.add([qualified, isExtension(kind, signature) ? `${EXTENSION} ${signature}` : MEMBER].join(" "))
    else if (language === "kotlin") {
      const isOne = isExtensionOfKotlin(qualified, signature)
      names.add([qualified, isOne ? `${EXTENSION} ${signature} ${packageOf(surface)}` : MEMBER].join(" "))
    } else if (language === "scala") names.add([qualified, MEMBER].join(" "))
  }
  if (language === "scala")
    for (const [line, , name = ""] of surface.matchAll(extensionOfScala)) names.add(`${name} ${EXTENSION} ${line}`)
  return { names, imports: importsOf(language, path, surface) }
}

/**
 * Matches the lines that the reader of Scala writes for methods that extend values of other types, with a plus, and for
 * members that are no symbols, with a dot.
 */
const extensionOfScala = /^e\t([+.])([^\t\n]+)\t#(\d+)$/gm

/** Returns what a file imports for other files: a header of C passes on what it includes. */
const importsOf = (language: string, path: string, surface: string): string => {
  const lines = language === "csharp" ? projectImports : isHeaderOfC(language, path) ? includes : undefined
  return lines === undefined ? "" : (surface.match(lines) ?? []).join("\n")
}

const isHeaderOfC = (language: string, path: string): boolean =>
  ModuleRules.isOfC(language) && !/\.(?:c|cc|cpp|cxx|c\+\+|cu)$/i.test(path)

/** Returns what a file of the index declares; nothing for a file that is not in it. */
export const formerlyBy = (sql: Statements, path: string): Declared => {
  const file = sql("select id, language, surface from file where path = ?").get(path)
  if (file === undefined || !Modules.languagesWithDeclarations.has(String(file.language))) return nothing
  const rows = sql("select qualified, kind, signature from symbol where file = ?").all(Number(file.id))
  const symbols = rows.map((row) => ({
    qualified: String(row.qualified),
    kind: String(row.kind),
    signature: String(row.signature),
  }))
  return declaredBy({ language: String(file.language), path }, symbols, String(file.surface))
}

/** Stands for a member of a type, which other files find by its name alone if extension methods have it, too. */
const MEMBER = "member"

const EXTENSION = "extension"

/** Notes the names that only one of two versions of a file declares. */
export const noteChange = (sql: Statements, before: Declared, after: Declared): void => {
  const note = (name: string) => sql("insert or ignore into changed_name (name) values (?)").run(name)
  const ofOthers = sql(`select 1 from symbol s where s.name = ? and (${extension} or ${extensionOfKotlin}) limit 1`)
  let ofScala: ReadonlySet<string> | undefined
  const isOfOthers = (name: string): boolean => {
    ofScala ??= namesOfScala(sql)
    return ofScala.has(name) || ofOthers.get(name) !== undefined
  }
  const own = new Set(
    [...before.names, ...after.names].flatMap((each) => {
      const [qualified = "", sort] = each.split(" ", 2)
      return sort === EXTENSION ? [nameOf(qualified)] : []
    }),
  )
  if (before.imports !== after.imports) note(ALL)
  const isInBoth = (each: string) => before.names.has(each) && after.names.has(each)
  for (const each of new Set([...before.names, ...after.names])) {
    if (isInBoth(each)) continue
    const [qualified = "", sort] = each.split(" ", 2)
    const name = nameOf(qualified)
    if (sort !== MEMBER || own.has(name) || isOfOthers(name)) note(name)
  }
}

const nameOf = (qualified: string): string => qualified.slice(qualified.lastIndexOf(".") + 1)

/** Returns the numbers of the files that may use a name. */
export const mentions = (sql: Statements, name: string): ReadonlyArray<number> => {
  const find = sql(
    `select number from file where language in (${languages}) and (instr(surface, ?1) > 0 or instr(uses, ?1) > 0)`,
  )
  return find.all(`.${name}`).map(({ number }) => Number(number))
}

const languages = Array.from(Modules.languagesWithDeclarations, (language) => `'${language}'`).join(", ")

const columns = `f.path, f.language, s.ordinal, s.name, s.qualified, s.kind, s.signature,
  case when f.language in ('java', 'kotlin', 'scala') then substr(f.surface, 1, 300) else '' end as surface
  from symbol s join file f on f.id = s.file`

const fromRow = (row: Row): ModuleRules.Declaration => ({
  path: String(row.path),
  ordinal: Number(row.ordinal),
  qualified: String(row.qualified),
  kind: String(row.kind),
  arity: arityOf(String(row.language), String(row.signature), String(row.name)),
  module: packageOf(String(row.surface)),
  signature: hasSignatures(String(row.language)) ? String(row.signature) : "",
})

/** Returns whether the signatures of a language tell which declaration of a name is meant. */
const hasSignatures = (language: string): boolean =>
  language === "kotlin" || language === "scala" || ModuleRules.isOfC(language)

const arityOf = (language: string, signature: string, name: string): number =>
  language === "csharp" ? References.arityOf(signature, nameOf(name)) : 0

/** Returns the package that the readers of Java, Kotlin and Scala have written at the beginning. */
const packageOf = (surface: string): string => /^e\t@([^\t\n]+)/.exec(surface)?.[1] ?? ""

/** Matches the symbols that are extension methods of C#: `static void Go(this Engine engine)`. */
const extension = "s.kind = 'method' and instr(s.signature, 'this ') > 0"

const isExtension = (kind: string, signature: string): boolean => kind === "method" && signature.includes("this ")

/** Matches the symbols of Kotlin that may be extensions: `fun Engine.go()`. */
const extensionOfKotlin = "s.kind in ('method', 'constant', 'variable') and instr(s.signature, '.' || s.name) > 0"

/** Returns whether a function or property of Kotlin, around which no type is, has a receiver. */
const isExtensionOfKotlin = (qualified: string, signature: string): boolean => {
  const [, receiver] = receiverOfKotlin.exec(signature) ?? []
  return receiver !== undefined && qualified === `${receiver}.${nameOf(qualified)}`
}

/** Matches the head of an extension of Kotlin up to its name. */
const receiverOfKotlin =
  /\b(?:fun|va[lr])\s+(?:<[^(){}=\n]{0,300}>\s*)?([\w.]{1,200})(?:<[^(){}=\n]{0,200}>)?\??\.[\w`]/

type Lookup = Pick<ModuleRules.Files, "declared" | "extended" | "extensions" | "projectImports" | "unitOf">

/** Reads all files of Swift by the types of which they declare members, when it is asked first. */
const extendedIn = (sql: Statements): ModuleRules.Files["extended"] => {
  let all: Map<string, Array<string>> | undefined
  const read = () => {
    const rows = sql(
      `select distinct f.path, s.container from symbol s join file f on f.id = s.file
       where f.language = 'swift' and s.container is not null order by f.path`,
    ).all()
    const found = new Map<string, Array<string>>()
    for (const { container, path } of rows) {
      const known = found.get(String(container))
      if (known === undefined) found.set(String(container), [String(path)])
      else known.push(String(path))
    }
    return found
  }
  return (qualified) => {
    all ??= read()
    return all.get(qualified) ?? []
  }
}

/** Reads the extensions of Scala: those of a name, or all by their names. */
const extensionsOfScala = (sql: Statements, wanted?: string): ReadonlyMap<string, ModuleRules.Extensions> => {
  const files = sql(
    `select path, surface from file
     where language = 'scala' and (instr(surface, ?1) > 0 or instr(surface, ?2) > 0) order by path`,
  )
  const symbol = sql(`select ${columns} where f.path = ? and s.ordinal = ?`)
  const all = new Map<string, Array<ModuleRules.Declaration>>()
  const fields = new Set<string>()
  const end = wanted === undefined ? "" : `${wanted}\t`
  for (const { path, surface } of files.all(`e\t+${end}`, `e\t.${end}`))
    for (const [, mark, name = "", ordinal] of String(surface).matchAll(extensionOfScala)) {
      if (wanted !== undefined && name !== wanted) continue
      const row = mark === "+" ? symbol.get(String(path), Number(ordinal)) : undefined
      if (mark === ".") fields.add(name)
      else if (row !== undefined) all.set(name, [...(all.get(name) ?? []), fromRow(row)])
    }
  const count = sql(
    `select count(*) as count from symbol s join file f on f.id = s.file
     where s.name = ? and s.kind in ('method', 'field', 'function') and f.language = 'scala'`,
  )
  // Other members have the name if more symbols do than extensions.
  return new Map(
    Array.from(all, ([name, methods]) => {
      return [name, { methods, isMember: fields.has(name) || Number(count.get(name)?.count) > methods.length }]
    }),
  )
}

/** Returns the names of all extensions of Scala. */
const namesOfScala = (sql: Statements): ReadonlySet<string> => {
  const files = sql("select surface from file where language = 'scala' and instr(surface, 'e\t+') > 0").all()
  return new Set(
    files.flatMap(({ surface }) => Array.from(String(surface).matchAll(extensionOfScala), ([, , name = ""]) => name)),
  )
}

const noExtensions: ModuleRules.Extensions = { methods: [], isMember: false }

/** Reads all declarations at once. */
export const readAll = (sql: Statements): Lookup => {
  let all: ReadonlyMap<string, ReadonlyArray<ModuleRules.Declaration>> | undefined
  const extensions = new Map<string, ReadonlyMap<string, ModuleRules.Extensions>>()
  let units: ReadonlyMap<string, ModuleRules.Unit> | undefined
  const read = () => {
    const found = new Map<string, Array<ModuleRules.Declaration>>()
    const rows = sql(
      `select ${columns} where f.language in (${languages})
       and (s.kind in ('class', 'interface', 'enum', 'type')
         or s.kind = 'function' and f.language not in ('elixir', 'ruby')
         or s.kind in ('constant', 'variable') and f.language in ('kotlin', 'scala')
         or s.kind = 'module' and f.language = 'scala'
         or s.kind in ('module', 'constant') and f.language in ('elixir', 'ruby')
         or s.kind in ('method', 'variable', 'constant') and f.language in ('c', 'cpp'))
       order by f.path, s.ordinal`,
    ).all()
    for (const row of rows) {
      const key = `${row.language} ${row.name}`
      const known = found.get(key)
      if (known === undefined) found.set(key, [fromRow(row)])
      else known.push(fromRow(row))
    }
    return found
  }
  return {
    declared: (language, name) => {
      all ??= read()
      return all.get(`${language} ${name}`) ?? []
    },
    extensions: (language, name) => {
      const known = extensions.get(language) ?? readExtensions(sql, language)
      extensions.set(language, known)
      return known.get(name) ?? noExtensions
    },
    extended: extendedIn(sql),
    projectImports: () => importsIn(sql),
    unitOf: (path) => {
      units ??= readUnits(sql)
      return units.get(path)
    },
  }
}

const readUnits = (sql: Statements): ReadonlyMap<string, ModuleRules.Unit> =>
  new Map(
    sql("select path, surface from file where language in ('c', 'cpp')")
      .all()
      .map(({ path, surface }) => [String(path), unitIn(String(surface))]),
  )

/** Reads all extensions of a language at once. */
const readExtensions = (sql: Statements, language: string): ReadonlyMap<string, ModuleRules.Extensions> => {
  if (language === "scala") return extensionsOfScala(sql)
  const rows = sql(`select ${columns} where ${extensionsOf(language)} order by f.path, s.ordinal`).all()
  const methods = Map.groupBy(extensionsAmong(rows), ({ qualified }) => nameOf(qualified))
  const isMember = memberQuery(sql, language)
  return new Map(Array.from(methods, ([name, all]) => [name, { methods: all, isMember: isMember(name) }]))
}

const extensionsOf = (language: string): string =>
  language === "kotlin" ? `f.language = 'kotlin' and ${extensionOfKotlin}` : `f.language = 'csharp' and ${extension}`

const extensionsAmong = (rows: ReadonlyArray<Row>): ReadonlyArray<ModuleRules.Declaration> =>
  rows.flatMap((row) => {
    const declaration = fromRow(row)
    const isOne = row.language !== "kotlin" || isExtensionOfKotlin(declaration.qualified, declaration.signature)
    return isOne ? [declaration] : []
  })

/** Returns whether a type of a language declares a member of a name that is no extension. */
const memberQuery = (sql: Statements, language: string): ((name: string) => boolean) => {
  const members =
    language === "kotlin"
      ? `f.language = 'kotlin' and not (${extensionOfKotlin})`
      : `f.language = 'csharp' and not (${extension})`
  const find = sql(
    `select 1 from symbol s join file f on f.id = s.file
     where s.name = ? and s.kind in ('method', 'field') and (${members}) limit 1`,
  )
  return (name) => find.get(name) !== undefined
}

/** Looks declarations up one by one, which suits few files to resolve. */
export const lookUp = (sql: Statements): Lookup => {
  const known = new Map<string, ReadonlyArray<ModuleRules.Declaration>>()
  const extensions = new Map<string, ModuleRules.Extensions>()
  const units = new Map<string, ModuleRules.Unit | undefined>()
  return {
    declared: (language, name) => {
      const key = `${language} ${name}`
      const found = known.get(key)
      if (found !== undefined) return found
      const rows = sql(`select ${columns} where s.name = ? and f.language = ? order by f.path, s.ordinal`)
      const all = rows.all(name, language).filter(({ kind }) => ModuleRules.isDeclared(language, String(kind)))
      const declarations = all.map(fromRow)
      known.set(key, declarations)
      return declarations
    },
    extensions: (language, name) => {
      const key = `${language} ${name}`
      const found = extensions.get(key)
      if (found !== undefined) return found
      if (language === "scala") {
        const all = extensionsOfScala(sql, name).get(name) ?? noExtensions
        extensions.set(key, all)
        return all
      }
      const rows = sql(`select ${columns} where s.name = ? and ${extensionsOf(language)} order by f.path, s.ordinal`)
      const methods = extensionsAmong(rows.all(name))
      const all = methods.length === 0 ? noExtensions : { methods, isMember: memberQuery(sql, language)(name) }
      extensions.set(key, all)
      return all
    },
    extended: extendedIn(sql),
    projectImports: () => importsIn(sql),
    unitOf: (path) => {
      if (units.has(path)) return units.get(path)
      const row = sql("select surface from file where path = ? and language in ('c', 'cpp')").get(path)
      const unit = row === undefined ? undefined : unitIn(String(row.surface))
      units.set(path, unit)
      return unit
    },
  }
}

/** Matches the lines of a surface that the reader of C and C++ writes for `#include`. */
const includes = /^e\t#include\t.*$/gm

/** Reads the lines of a surface that say so without a look at most of its text. */
const unitIn = (lines: string): ModuleRules.Unit => {
  const surface = `\n${lines}`
  const written: Array<string> = []
  for (let at = surface.indexOf(INCLUDE); at !== -1; at = surface.indexOf(INCLUDE, at + 1))
    written.push(surface.slice(at + INCLUDE.length, surface.indexOf('"', at + INCLUDE.length)))
  const prototypes = new Set<number>()
  for (let at = surface.indexOf(PROTOTYPE); at !== -1; at = surface.indexOf(PROTOTYPE, at + 1))
    prototypes.add(Number.parseInt(surface.slice(at + PROTOTYPE.length, at + PROTOTYPE.length + 8), 10))
  return { includes: written, prototypes }
}

const INCLUDE = '\ne\t#include\t"'

/** Begins the lines of functions that are only declared. */
const PROTOTYPE = "\nx\t"

/** Matches the lines of a surface that the reader of C# writes for `global using`. */
const projectImports = /^e\tglobal\t.*$/gm

const importsIn = (sql: Statements): ReadonlyArray<ModuleRules.ProjectImport> =>
  sql("select path, surface from file where language = 'csharp' and instr(surface, ?) > 0 order by path")
    .all("e\tglobal\t")
    .flatMap(({ path, surface }) =>
      (String(surface).match(projectImports) ?? []).flatMap((line) => {
        const [, specifier] = /\t"([^"]+)"$/.exec(line) ?? []
        return specifier === undefined ? [] : [{ path: String(path), specifier }]
      }),
    )
