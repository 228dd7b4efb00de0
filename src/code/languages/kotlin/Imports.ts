/** The package of a file of Kotlin, and what it imports. */
import { UNNAMED } from "../../ModuleRules.ts"
import { withoutTicks } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Expression, ofModule } from "../../Symbols/internal/references/Facts.ts"
import { isTypeName } from "./Words.ts"

/** An imported name, as the members that lead to it from a package. */
export interface Import {
  readonly from: string
  readonly path: ReadonlyArray<string>
}

export interface Imports {
  readonly packageName: string
  /** The imported names, by the name that the file has for each. */
  readonly named: ReadonlyMap<string, Import>
  /** The packages and types of which the file sees all names, in order. */
  readonly visible: ReadonlyArray<Expression>
  /** The functions and properties that are imported by name, each with its package. They may be extensions. */
  readonly functions: ReadonlyArray<Expression>
}

const name = "[\\p{L}_$`][\\p{L}\\p{N}_$`]*"

const packageLine = new RegExp(`^[ \\t]*package[ \\t]+(${name}(?:\\.${name})*)`, "mu")

const importLine = new RegExp(
  `^[ \\t]*import[ \\t]+(${name}(?:\\.${name})*)(\\.\\*)?(?:[ \\t]+as[ \\t]+(${name}))?`,
  "gmu",
)

/** The most packages and types of which all names are imported. */
const MAX_VISIBLE = 32

const MAX_FUNCTIONS = 1_000

/** The packages that have nothing of a project. */
const isOfPlatform = /^(?:kotlin|javax?)(?:\.|$)/

/** Reads them off a masked text. */
export const read = (code: string): Imports => {
  const packageName = withoutTicks(packageLine.exec(code)?.[1] ?? "")
  const named = new Map<string, Import>()
  const visible: Array<Expression> = [ofModule(packageName === "" ? UNNAMED : packageName)]
  const functions: Array<Expression> = []
  for (const [, text = "", isAll, alias] of code.matchAll(importLine)) {
    const parts = withoutTicks(text).split(".")
    const top = parts.findIndex((part) => isTypeName.test(part))
    if (isAll !== undefined && top === -1) {
      if (!isOfPlatform.test(text)) visible.push(ofModule(parts.join(".")))
      continue
    }
    const end = top === -1 ? parts.length - 1 : top
    const from = end === 0 ? UNNAMED : parts.slice(0, end).join(".")
    const path = parts.slice(end).filter((part, at) => at === 0 || part !== "Companion")
    if (isAll !== undefined) {
      visible.push(absolute(`"${from}"`, path.map((part) => `.${part}`).join("")))
      continue
    }
    const last = parts.at(-1) ?? ""
    named.set(withoutTicks(alias ?? last), { from, path })
    if (top === -1 && alias === undefined && !isOfPlatform.test(text)) functions.push(ofModule(parts.join(".")))
  }
  return {
    packageName,
    named,
    visible: visible.slice(0, MAX_VISIBLE),
    functions: functions.slice(0, MAX_FUNCTIONS),
  }
}

/** Returns the expression of what is imported; `called` is the number of arguments if it is called. */
export const meaningOf = ({ from, path }: Import, called: number | "some" | undefined): Expression => {
  const [only = "", ...others] = path
  if (others.length === 0) return absolute(`"${from}"`, callee(`.${only}`, called).replace(":", ";"))
  const last = path.at(-1) ?? ""
  const owner = path
    .slice(0, -1)
    .map((part) => `.${part}`)
    .join("")
  return absolute(`"${from}"`, `${owner}${member(last, called)}`)
}

/** Returns the path of a name of a package. */
export const callee = (path: string, called: number | "some" | undefined): string =>
  called === undefined ? path : called === "some" ? `${path}:` : `${path}:~${called}`

/** Returns the path of a member of a type. */
export const member = (name: string, called: number | "some" | undefined): string =>
  typeof called === "number" ? `.${name}/${called}~${called}` : `.${name}`
