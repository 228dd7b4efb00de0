/**
 * Finds what code declares by calls rather than by symbols: the options of a command line, routes and plugins that a
 * file registers when it is loaded, and those of decorators. Users know a project by these, and no symbol has them. It
 * goes by the shape of the text, for any language that writes calls with brackets. Pure.
 */
import { firstSentence } from "../../base/Prose.ts"
import * as DataTable from "./DataTable.ts"
import { cut, sizeOf } from "./Material.ts"

/** A call that declares something. */
export interface Declared {
  /** True for an option of a command line: users ask for these first. */
  readonly isOption: boolean
  /** The name of what is declared and its arguments: `--verify; default='yes'`. */
  readonly text: string
  /** The first sentence of what it is for; empty without one. */
  readonly help: string
}

/** A longer file was generated, or is read by its symbols. */
const MAX_CHARS = 60_000

/** Calls at the top of a file that declare nothing. */
const BESIDE =
  /^(?:import|require|include\w*|from|print|exit|define|describe|it|test|suite|module|module_|del|assert|super|console\.\w+|sys\.path\.\w+|sys\.exit|os\.environ\.\w+|warnings\.\w+|logging\.\w+|log(?:ger)?\.\w+|process\.\w+|setTimeout|static_assert|error_reporting|ini_set|set_time_limit)$/

/** Methods that declare a flag by its bare name, as in Go. */
const FLAG = /(?:^|\.)(?:String|Bool|Int|Int64|Uint|Uint64|Float64|Duration|Count)(?:Slice|Array)?(?:Var)?P?$/

/** The name of an option with short and other forms of it, and with its value; a sentence about one is none. */
const OPTION = /^-{1,2}[\p{L}\d?][\p{L}\p{N}_-]*(?:[,/|]?\s*(?:-{1,2}[\p{L}\p{N}_-]+|[<[=].*|[A-Z][A-Z\d_]*))*$/u

/** Functions that declare an option: others pass one on, such as to another program. */
const DECLARES = /(?:option|argument|arg|flag|switch|param|opt|\bon)s?$/i

const STRING = /^[rbfu]{0,2}(?:"""|'''|["'`])/

/** Arguments that say how an option is read rather than what it does. */
const DETAIL =
  /^(?:(?:action|type|dest|nargs|metavar|cls|callback|is_eager|expose_value|store_true|\w*formatter\w*|getter|cache|sort)\s*=|default\s*=\s*(?:None|False|null|nil|undefined|\w+\.SUPPRESS)$|\*\*)/

const HELP = /^(?:(?:short_)?help|description|desc)\s*[=:]\s*/

/** Finds what a file declares when it is loaded, and the types that its comments declare. */
export const atTop = (path: string, text: string): ReadonlyArray<Declared> =>
  text.length > MAX_CHARS ? [] : [...callsAtTop(path, text), ...typesIn(text)]

const callsAtTop = (path: string, text: string): ReadonlyArray<Declared> =>
  DataTable.entriesOf(path, text).flatMap((entry) => {
    const [first, group, next] = entry.pieces
    const name = typeof first === "string" ? first : ""
    // Text before it on the line, such as that of a definition or an assignment, makes it no call at the top.
    if (!/^[\p{L}_$][\p{L}\p{N}_$.:]*$/u.test(name) || typeof group !== "object" || group.open !== "(") return []
    const options = optionsIn([entry])
    if (options.length > 0) return options
    const isBody = typeof next === "object" || (typeof next === "string" && /^\s*$/.test(next))
    if (BESIDE.test(name) || (isBody && entry.pieces.length > 2)) return []
    const call = callOf(name, group)
    return call.text === `${name}()` && call.help === "" ? [] : [call]
  })

/** Comments that declare a type, and one of its fields with what that is for: LuaCATS and JSDoc. */
const TYPE = /^\s*(?:---|\/?\*+)\s*@(?:class|typedef)\s+(?:\(\w+\)\s*)?(?:\{[^}]*\}\s*)?([\w.]+)/
const FIELD =
  /^\s*(?:---|\*+)\s*@(?:field\s+(?:(?:public|private|protected)\s+)?([\w]+\??)\s+(\S+)\s*(.*)|prop(?:erty)?\s+(\{[^}]*\})\s*(\[?[\w.]+)(?:[^\]\s]*\])?\s*(?:-\s*)?(.*))$/

/** The fewest fields of a type that is worth telling of, and the most characters of what a field is for. */
const MIN_FIELDS = 2
const MAX_FIELD = 60

/**
 * Finds the types that comments declare, as in languages without types: what a user may set is often said nowhere else.
 */
const typesIn = (text: string): ReadonlyArray<Declared> => {
  const found: Array<{ readonly name: string; readonly fields: Array<string> }> = []
  for (const line of text.split("\n")) {
    const [, type] = TYPE.exec(line) ?? []
    if (type !== undefined) found.push({ name: type, fields: [] })
    const [matched, field, , said = "", , property, also = ""] = FIELD.exec(line) ?? []
    if (matched === undefined) continue
    const name = (field ?? property ?? "").replace("[", "")
    if (name.startsWith("_")) continue
    // The rest of a type with spaces in it ends with a bracket that it does not open.
    const words = `${said}${also}`.replace(/^[^<({[\]]*[>)}\]]+\??\s*/, "").trim()
    const help = cut(firstSentence(words), MAX_FIELD)
    found.at(-1)?.fields.push(`${name}${help === "" ? "" : ` (${help})`}`)
  }
  return (
    found
      // Fields that may be left out, and those with words beside them, are what others set.
      .filter(({ fields }) => fields.length >= MIN_FIELDS && fields.some((field) => /[?)]/.test(field)))
      .map(({ fields, name }) => ({
        isOption: false,
        text: cut(`type ${name}: ${fields.join(", ")}`, MAX_TYPE),
        help: "",
      }))
  )
}

/** Finds the options and routes that a function declares in its body or its decorators. */
export const within = (path: string, source: string): ReadonlyArray<Declared> => {
  if (source.length > MAX_CHARS) return []
  const entries = DataTable.entriesOf(path, source)
  const decorators = entries.flatMap(({ pieces }) => {
    const [first, group] = pieces
    const name = typeof first === "string" ? first.trim() : ""
    if (!name.startsWith("@") || typeof group !== "object" || optionsIn([{ pieces, note: "" }]).length > 0) return []
    return STRING.test(DataTable.inline(group.entries[0] ?? { pieces: [] })) ? [callOf(name, group)] : []
  })
  return [...decorators, ...optionsIn(entries)]
}

const optionsIn = (entries: ReadonlyArray<DataTable.Entry>): ReadonlyArray<Declared> =>
  entries.flatMap(({ pieces }) =>
    pieces.flatMap((piece, at): ReadonlyArray<Declared> => {
      if (typeof piece === "string") return []
      const before = pieces[at - 1]
      const name = typeof before === "string" ? (/[\p{L}\p{N}_$.]+$/u.exec(before)?.[0] ?? "") : ""
      const own = piece.open === "(" && name !== "" ? optionOf(name, piece) : undefined
      return own === undefined ? optionsIn(piece.entries) : [own]
    }),
  )

const optionOf = (name: string, { entries }: DataTable.Group): Declared | undefined => {
  const args = entries.map(DataTable.inline)
  const isName = (arg: string) => STRING.test(arg) && OPTION.test(bare(arg))
  const names = DECLARES.test(name) ? args.filter((arg, at) => at < 3 && isName(arg)) : []
  const isFlag = FLAG.test(name) && args.length > 2
  const [flag] = isFlag ? args.filter((arg) => STRING.test(arg)) : []
  if (names.length === 0 && flag === undefined) return undefined
  const shown = names.length > 0 ? names.map(bare).join(", ") : `--${bare(flag ?? "")}`
  return declaredOf(
    true,
    shown,
    args.filter((arg) => !names.includes(arg) && arg !== flag && arg !== ""),
    "; ",
  )
}

const callOf = (name: string, { entries }: DataTable.Group): Declared => {
  const args = entries.map(DataTable.inline).filter((arg) => arg !== "")
  const { help, text } = declaredOf(false, "", args, "")
  return { isOption: false, text: `${name}(${text})`, help }
}

/** The most characters of an argument, of all of them, and of what something is for. */
const MAX_ARGUMENT = 180
const MAX_TEXT = 260
const MAX_TYPE = 400
const MAX_HELP = 120

const declaredOf = (isOption: boolean, name: string, args: ReadonlyArray<string>, separator: string): Declared => {
  const isHelp = (arg: string) => HELP.test(arg) || (isOption && STRING.test(arg) && / /.test(bare(arg).trim()))
  const said = args
    .filter(isHelp)
    .map((arg) => arg.replace(HELP, "").replace(/^\(\s*/, ""))
    // Help that is a name, such as one that hides an option, says nothing.
    .map((arg) => (STRING.test(arg) ? bare(arg).trim() : ""))
  const [help = ""] = said.toSorted((one, other) => Number(other !== "") - Number(one !== ""))
  // The arguments of another call are all that says what it declares.
  const isDetail = (arg: string) => isOption && DETAIL.test(arg)
  const told = args.filter((arg) => !isHelp(arg) && !isDetail(arg)).map((arg) => cut(withoutBody(arg), MAX_ARGUMENT))
  return {
    isOption,
    text: cut(
      [...(name === "" ? [] : [name]), told.join(", ")].filter((each) => each !== "").join(separator),
      MAX_TEXT,
    ),
    help: cut(firstSentence(help), MAX_HELP),
  }
}

/** Leaves out the body of a function that is an argument: what it does is no declaration. */
const withoutBody = (arg: string): string => (/\bfunction\b|=>|\bfn\b/.test(arg) ? arg.replace(/\{.+$/, "{…}") : arg)

/** Returns the text of a string without its quotation marks. */
const bare = (text: string): string => {
  const inner = text.replace(/^[rbfu]{0,2}(?:"""|'''|["'`])/, "")
  return inner === text ? text : inner.replace(/(?:"""|'''|["'`])$/, "")
}

/** Writes what is declared, a line each. */
export const linesOf = (declared: ReadonlyArray<Declared>): ReadonlyArray<string> =>
  declared.map(({ help, text }) => (help === "" ? text : `${text} — ${help}`))

/** The most characters of what something is for if there is little room. */
const BRIEF = 50

/**
 * Writes what is declared within a limit of tokens: options first, all by their names, and as many as there is room for
 * with what they are for.
 */
export const write = (declared: ReadonlyArray<Declared>, maxTokens: number): ReadonlyArray<string> => {
  const ranked = declared.toSorted((one, other) => Number(other.isOption) - Number(one.isOption))
  const sizeOfAll = (lines: ReadonlyArray<string>) => lines.reduce((sum, line) => sum + sizeOf(line), 0)
  const [whole, brief] = [ranked, ranked.map((each) => ({ ...each, help: cut(each.help, BRIEF) }))].map(linesOf)
  for (const lines of [whole, brief]) if (lines !== undefined && sizeOfAll(lines) <= maxTokens) return lines
  let left = maxTokens - sizeOf("… 000 more")
  const names: Array<string> = []
  for (const { text } of ranked) {
    if (sizeOf(text) > left) break
    left -= sizeOf(text)
    names.push(text)
  }
  const told = names.map((name, at) => {
    const line = brief?.[at] ?? name
    const more = sizeOf(line) - sizeOf(name)
    if (more > left) return name
    left -= more
    return line
  })
  return names.length === ranked.length ? told : [...told, `… ${ranked.length - names.length} more`]
}
