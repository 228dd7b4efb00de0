/**
 * Resolves the references of all files, and after a change those of the files that it can affect. `file.links` has the
 * links of a file, `dependency` the files that were read to find them, and `symbol.used_by` the number of other files
 * that use a symbol.
 *
 * A file is known by `file.number`, which it keeps when it is written anew. Its links hold ordinals of symbols. These
 * stay the same as long as the surface of the file does, so a change in a body affects the links of that file alone.
 */

import type * as Rules from "../../../../code/ModuleRules.ts"
import * as Modules from "../../../../code/Modules.ts"
import * as References from "../../../../code/References.ts"
import type { Statements, Steps } from "../../../../disk/Sqlite.ts"
import * as CallerTable from "./CallerTable.ts"
import * as Declarations from "./Declarations.ts"
import * as Evaluator from "./Evaluator.ts"
import * as Links from "./Links.ts"
import * as Surfaces from "./Surfaces.ts"

/** The part of a file that stays when it is written anew. */
interface Former {
  readonly number: number
  readonly surface: string
  readonly links: Links.FileLinks
  /** The values of `used_by` by ordinal, for the symbols that are used. */
  readonly usedBy: ReadonlyMap<number, number>
}

export const formerOf = (sql: Statements, path: string): Former | undefined => {
  const row = sql("select id, number, surface_hash, links from file where path = ?").get(path)
  if (row === undefined) return undefined
  const used = sql("select ordinal, used_by from symbol where file = ? and used_by > 0").all(Number(row.id))
  return {
    number: Number(row.number),
    surface: String(row.surface_hash),
    links: Links.decode(row.links),
    usedBy: new Map(used.map(({ ordinal, used_by }) => [Number(ordinal), Number(used_by)])),
  }
}

/** Returns a number for a file that had none. */
export const nextNumber = (sql: Statements): number =>
  Number(sql("select ifnull(max(number), 0) + 1 as next from file").get()?.next)

/** Notes that a file was added or has changed. `isSame` is true if its surface has not. */
export const noteChange = (sql: Statements, number: number, isSame: boolean): void => {
  sql(
    `insert into unresolved (number, surface) values (?, ?)
     on conflict do update set surface = max(surface, excluded.surface)`,
  ).run(number, Number(!isSame))
}

/** Notes that a file was added or removed, or that a configuration file has changed. */
export const notePath = (sql: Statements, path: string): void => {
  sql("insert or ignore into changed_path (path) values (?)").run(path)
}

/** The most added and removed files; beyond it everything is resolved again. */
const MAX_CHANGED_PATHS = 100

/** The most names that were declared anew or are gone; beyond it everything is resolved again. */
const MAX_CHANGED_NAMES = 200

/** Brings the links up to date. `isFirst` is true if nothing is resolved yet. */
export function* update(sql: Statements, isFirst: boolean): Steps<void> {
  const paths = sql("select path from changed_path")
    .all()
    .map(({ path }) => String(path))
  const names = Declarations.changedNames(sql)
  const isAll =
    isFirst ||
    paths.length > MAX_CHANGED_PATHS ||
    names.length > MAX_CHANGED_NAMES ||
    names.includes(Declarations.ALL) ||
    paths.some((path) => concernsAll(sql, path))
  const changed = sql("select number, surface from unresolved order by number").all()
  if (isAll) yield* resolveAll(sql)
  else if (changed.length > 0 || paths.length > 0 || names.length > 0) {
    yield* resolveAffected(sql, {
      changed: new Map(changed.map(({ number, surface }) => [Number(number), surface === 1])),
      paths,
      declared: names,
    })
  }
  sql("delete from changed_name").run()
  sql("delete from unresolved").run()
  sql("delete from changed_path").run()
}

/** Returns whether configuration files mention a file, so that any specifier may mean it. */
const concernsAll = (sql: Statements, path: string): boolean => {
  if (Modules.isConfiguration(path)) return true
  const [stem = ""] = Modules.namesOf(path)
  const mention = sql("select 1 from configuration where instr(text, ?1 || '.') > 0 or instr(text, ?1 || '\"') > 0")
  return mention.get(`/${stem}`) !== undefined
}

interface Resolver {
  readonly resolve: (number: number) => Steps<Links.FileLinks>
}

/** The most uses that are resolved without a pause. */
const USES_IN_STEP = 500

/** The paths of all files, with their numbers. */
interface Paths extends Omit<Rules.Files, "configurations"> {
  readonly numberOf: (path: string) => number | undefined
}

/** Reads all of them at once: 100,000 take 30 MB and a tenth of a second. */
const readPaths = (sql: Statements): Paths => {
  const numbers = new Map(
    sql("select path, number from file order by id")
      .all()
      .map(({ number, path }) => [String(path), Number(number)]),
  )
  const folders = Map.groupBy(numbers.keys(), (path) =>
    path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".",
  )
  return {
    ...Declarations.readAll(sql),
    has: (path) => numbers.has(path),
    numberOf: (path) => numbers.get(path),
    all: () => numbers.keys(),
    filesIn: (folder) => folders.get(folder) ?? [],
  }
}

/** Looks paths up one by one, which suits few files to resolve. Keeps the order of `readPaths`. */
const lookUpPaths = (sql: Statements): Paths => {
  const find = sql("select number from file where path = ?")
  const numberOf = memoize((path: string) => {
    const row = find.get(path)
    return row === undefined ? undefined : Number(row.number)
  })
  const select = (query: string, ...parameters: ReadonlyArray<string>): ReadonlyArray<string> =>
    sql(query)
      .all(...parameters)
      .map(({ path }) => String(path))
  const all = () => select("select path from file order by id")
  return {
    ...Declarations.lookUp(sql),
    has: (path) => numberOf(path) !== undefined,
    numberOf,
    all,
    filesIn: memoize((folder: string) =>
      folder === "."
        ? select("select path from file where instr(path, ?1) = 0 order by id", "/")
        : // `0` follows `/`.
          select("select path from file where path > ?1 || '/' and path < ?1 || '0' order by id", folder).filter(
            (path) => !path.includes("/", folder.length + 1),
          ),
    ),
  }
}

const memoize = <A>(compute: (key: string) => A): ((key: string) => A) => {
  const known = new Map<string, { readonly value: A }>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = compute(key)
    known.set(key, { value })
    return value
  }
}

const evaluatorOf = (sql: Statements, { numberOf, ...files }: Paths): Evaluator.Evaluator => {
  const rules = Modules.make({ ...files, configurations: readConfigurations(sql) })
  return Evaluator.make({ surfaces: Surfaces.make(sql), declaring: Surfaces.declarations(sql), rules, numberOf })
}

const readConfigurations = (sql: Statements): ReadonlyMap<string, string> =>
  new Map(
    sql("select path, text from configuration")
      .all()
      .map(({ path, text }) => [String(path), String(text)]),
  )

/** Returns the files by which the topmost packages are imported and started. */
export const packageEntries = (sql: Statements): ReadonlyArray<string> =>
  Modules.entriesOf({ ...lookUpPaths(sql), configurations: readConfigurations(sql) })

/** Makes an evaluator for the expressions of a few files. */
export const makeEvaluator = (sql: Statements): Evaluator.Evaluator => evaluatorOf(sql, lookUpPaths(sql))

const makeResolver = (sql: Statements, paths: Paths): Resolver => {
  const evaluator = evaluatorOf(sql, paths)
  return {
    *resolve(number) {
      let uses = 0
      evaluator.takeRead()
      const text = String(sql("select uses from file where number = ?").get(number)?.uses ?? "")
      const found = new Map<string, { file: number; symbol: number; from: number; lines: ReadonlyArray<number> }>()
      for (const { expression, places } of References.decodeUses(text)) {
        if (++uses % USES_IN_STEP === 0) yield
        const target = evaluator.symbolOf(number, expression)
        if (target === undefined) continue
        for (const { file, ordinal: symbol } of [target, ...evaluator.twinsOf(target)]) {
          for (const { lines, symbol: from } of places) {
            const key = `${file} ${symbol} ${from}`
            const known = found.get(key)
            if (known === undefined) found.set(key, { file, symbol, from, lines })
            else known.lines = [...new Set([...known.lines, ...lines])].sort((one, other) => one - other)
          }
        }
      }
      evaluator.forget(number)
      return {
        read: evaluator
          .takeRead()
          .filter((each) => each !== number)
          .sort((one, other) => one - other),
        links: Array.from(found.values()).sort(
          (one, other) => one.file - other.file || one.symbol - other.symbol || one.from - other.from,
        ),
      }
    },
  }
}

function* resolveAll(sql: Statements): Steps<void> {
  const { resolve } = makeResolver(sql, readPaths(sql))
  const usedBy = new Map<number, number>()
  const dependencies: Array<number> = []
  const callers = CallerTable.collector()
  sql("delete from dependency").run()
  for (const { number } of sql("select number from file order by number").all()) {
    const source = Number(number)
    const found = yield* resolve(source)
    for (const key of targetsOf(source, found)) usedBy.set(key, (usedBy.get(key) ?? 0) + 1)
    for (const target of found.read) dependencies.push(target * FILES + source)
    callers.add(source, found)
    writeLinks(sql, source, found)
    yield
  }
  yield* callers.save(sql)
  // The dependencies are written in the order of the table, so that it is written only once.
  const sorted = Float64Array.from(dependencies).sort()
  for (const [position, key] of sorted.entries()) {
    addDependency(sql, Math.floor(key / FILES), key % FILES)
    if (position % 1_000 === 999) yield
  }
  yield
  const page = sql(
    `select s.id, f.number, s.ordinal, s.used_by from symbol s join file f on f.id = s.file
     where s.id > ? order by s.id limit 1000`,
  )
  for (let rows = page.all(0); rows.length > 0; rows = page.all(Number(rows.at(-1)?.id))) {
    for (const row of rows) {
      const now = usedBy.get(Number(row.number) * SYMBOLS + Number(row.ordinal)) ?? 0
      if (now !== Number(row.used_by)) writeUsage(sql, Number(row.id), now)
    }
    yield
  }
}

/** Factors larger than the number of files, and of symbols in a file, so that two numbers fit into one. */
const FILES = 2 ** 24
const SYMBOLS = 2 ** 24

/** Returns the symbols of other files that a file uses, each as one number. */
const targetsOf = (source: number, { links }: Links.FileLinks): ReadonlySet<number> =>
  new Set(links.filter(({ file }) => file !== source).map(({ file, symbol }) => file * SYMBOLS + symbol))

/** The number of files to resolve above which reading all paths is faster. */
const MANY = 500

interface Changes {
  /** The files that were written. The value is true if the surface of the file has changed. */
  readonly changed: ReadonlyMap<number, boolean>
  readonly paths: ReadonlyArray<string>
  /** See `Declarations.changedNames`. */
  readonly declared: ReadonlyArray<string>
}

function* resolveAffected(sql: Statements, { changed, declared, paths }: Changes): Steps<void> {
  const affected = new Set(changed.keys())
  const surfaces = new Set<number>()
  for (const [number, isChanged] of changed) if (isChanged) surfaces.add(number)
  for (const { number } of sql("select number from departed").all()) surfaces.add(Number(number))
  const names = new Set(paths.flatMap((path) => [...Modules.namesOf(path), ...packagesAround(sql, path)]))
  for (const name of names) {
    const mention = sql(
      "select number, instr(surface, ?1) > 0 as inSurface from file where instr(surface, ?1) > 0 or instr(uses, ?1) > 0",
    )
    for (const { inSurface, number } of mention.all(name)) {
      affected.add(Number(number))
      if (inSurface === 1) surfaces.add(Number(number))
    }
    yield
  }
  for (const name of declared) {
    for (const number of Declarations.mentions(sql, name)) affected.add(number)
    yield
  }
  // A package that has gained or lost a module has a new meaning for the files that import from it.
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1)
    const own = sql("select number from file where path = ? or path = ?").all(
      `${folder}__init__.py`,
      `${folder}index.js`,
    )
    for (const { number } of own) surfaces.add(Number(number))
  }
  for (const target of surfaces) {
    for (const { source } of sql("select source from dependency where target = ?").all(target))
      affected.add(Number(source))
    yield
  }
  const { resolve } = makeResolver(sql, affected.size > MANY ? readPaths(sql) : lookUpPaths(sql))
  const changes = new Map<number, number>()
  const change = (key: number, by: number) => changes.set(key, (changes.get(key) ?? 0) + by)
  for (const source of Array.from(affected).sort((one, other) => one - other)) {
    const row = sql("select links from file where number = ?").get(source)
    if (row === undefined) continue
    const before = Links.decode(row.links)
    const after = yield* resolve(source)
    // The symbols of a file with another surface are new, and used by none so far.
    for (const key of targetsOf(source, before)) if (changed.get(Math.floor(key / SYMBOLS)) !== true) change(key, -1)
    for (const key of targetsOf(source, after)) change(key, 1)
    writeLinks(sql, source, after)
    CallerTable.replace(sql, source, before, after)
    for (const target of before.read) sql("delete from dependency where target = ? and source = ?").run(target, source)
    for (const target of after.read) addDependency(sql, target, source)
    yield
  }
  for (const [key, by] of changes) {
    if (by !== 0) addUsage(sql, Math.floor(key / SYMBOLS), key % SYMBOLS, by)
  }
  sql("delete from departed").run()
}

/** Returns the names of the packages around a file: specifiers mention those and not the file. */
const packagesAround = (sql: Statements, path: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const text = sql("select text from configuration where path = ?").get(`${path.slice(0, end)}/package.json`)?.text
    const [, name] = /"name"\s*:\s*"([^"]+)"/.exec(String(text ?? "")) ?? []
    if (name !== undefined) names.push(name)
  }
  return names
}

/** Notes that a file is removed: it uses nothing any more, and is used by nothing. */
export const noteRemoval = (sql: Statements, path: string, { links, number }: Former): void => {
  notePath(sql, path)
  sql("insert or ignore into departed (number) values (?)").run(number)
  for (const key of targetsOf(number, links)) addUsage(sql, Math.floor(key / SYMBOLS), key % SYMBOLS, -1)
  CallerTable.replace(sql, number, links, Links.none)
  for (const target of links.read) sql("delete from dependency where target = ? and source = ?").run(target, number)
}

const writeLinks = (sql: Statements, number: number, links: Links.FileLinks): void => {
  sql("update file set links = ? where number = ?").run(Links.encode(links), number)
}

const addDependency = (sql: Statements, target: number, source: number): void => {
  sql("insert or ignore into dependency (target, source) values (?, ?)").run(target, source)
}

const addUsage = (sql: Statements, file: number, ordinal: number, by: number): void => {
  const row = sql(
    `select s.id, s.used_by from symbol s
     where s.file = (select id from file where number = ?) and s.ordinal = ?`,
  ).get(file, ordinal)
  if (row !== undefined) writeUsage(sql, Number(row.id), Math.max(0, Number(row.used_by) + by))
}

const writeUsage = (sql: Statements, id: number, usedBy: number): void => {
  sql("update symbol set used_by = ? where id = ?").run(usedBy, id)
}
