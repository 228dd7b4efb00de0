/**
 * Finds what a project offers to its importers and at its start: what its entry files define, re-export, and use
 * outside of all symbols. Entry files are those that the topmost `package.json` names, and those that a language enters
 * by their name, in the topmost folder that has one.
 */
import { topmost } from "../../../../code/ModuleRules.ts"
import * as References from "../../../../code/References.ts"
import type { Statements } from "../../../../disk/Sqlite.ts"
import * as Links from "./Links.ts"
import * as LinkTable from "./LinkTable.ts"

interface EntryPoint {
  /** `file.number`. */
  readonly file: number
  readonly ordinal: number
}

/** The most entry files. A repository of many packages has one for each. */
const MAX_FILES = 50

export const find = (sql: Statements): ReadonlyArray<EntryPoint> => {
  const paths = sql("select path from file where class = 'code' order by path")
    .all()
    .map(({ path }) => String(path))
  const files = filesOf(paths, LinkTable.packageEntries(sql)).slice(0, MAX_FILES)
  const evaluator = LinkTable.makeEvaluator(sql)
  return files.flatMap((path) => {
    const row = sql("select id, number, surface, links from file where path = ?").get(path)
    const number = Number(row?.number)
    const own = sql("select ordinal from symbol where file = ? and (exported or name = 'main')").all(Number(row?.id))
    const exports = References.decodeSurface(String(row?.surface ?? "")).exports
    return [
      ...own.map(({ ordinal }) => ({ file: number, ordinal: Number(ordinal) })),
      ...exports.flatMap(({ expression }) => evaluator.symbolOf(number, expression) ?? []),
      ...Links.decode(row?.links).links.flatMap(({ file, from, symbol }) =>
        from === -1 ? [{ file, ordinal: symbol }] : [],
      ),
    ]
  })
}

/** The entry files among paths of code. `named` are those that manifests name. */
export const filesOf = (paths: ReadonlyArray<string>, named: ReadonlyArray<string>): ReadonlyArray<string> => {
  const byExtension = Map.groupBy(
    paths.filter((path) => isEntry.test(path)),
    (path) => path.slice(path.lastIndexOf(".")),
  )
  const code = new Set(paths)
  return Array.from(
    new Set([...named.filter((path) => code.has(path)), ...Array.from(byExtension.values()).flatMap(topmost)]),
  )
}

const isEntry = /(?:^|\/)(?:index\.[cm]?[jt]sx?|main\.\w+|mod\.ts|lib\.rs|init\.lua|__init__\.py|__main__\.py)$/
