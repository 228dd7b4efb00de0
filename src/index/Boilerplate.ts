/**
 * Finds the symbols of a file of which name and signature say everything, by their source: a sentence about them would
 * repeat it. It goes by the shape of the source, for any language; what it does not recognise counts as worth a
 * sentence. Pure.
 */
import { type Kind, type Outlined, qualify } from "./IndexEntry.ts"

/** A symbol with its place in the text of its file, as an outline has it. */
export interface Placed extends Outlined {
  readonly start: number
  readonly end: number
}

/**
 * Returns these symbols:
 *
 * - symbols whose use is an error of the compiler: deprecated with an error, or unavailable
 * - declarations of Python with `@overload`, beside what implements them or the first of them
 * - tests of Rust beside the code; those in a file of tests are asked for like other functions there
 * - aliases of one name
 * - methods that do nothing, or return a field or a literal without asking for anything
 * - functions that keep their parameters, pass them to a function of the same name, or fail in any case
 * - all but the first of a family (`familiesOf`)
 */
export const find = <Symbol extends Placed>(
  symbols: ReadonlyArray<Symbol>,
  text: string,
  { isTest: isOfTests }: { readonly isTest: boolean },
): ReadonlySet<Symbol> => {
  const counts = Map.groupBy(symbols, ({ container, name }) => qualify(name, container))
  const namesakes = ({ container, name }: Symbol) => counts.get(qualify(name, container)) ?? []
  const isOverloaded = (symbol: Symbol) => namesakes(symbol).length > 1
  const isOverload = ({ end, start }: Symbol) => overload.test(text.slice(start, end))
  const isFurtherOverload = (symbol: Symbol) =>
    isOverloaded(symbol) &&
    isOverload(symbol) &&
    (namesakes(symbol)[0] !== symbol || !namesakes(symbol).every(isOverload))
  return new Set([
    ...symbols.filter((symbol) => {
      const source = text.slice(symbol.start, symbol.end)
      return (
        (/^[@[]/.test(source) && isUnusable.test(headOf(symbol, source))) ||
        (symbol.kind === "type" && isAlias.test(source)) ||
        (isFunction(symbol) &&
          ((!isOfTests && isTest(symbol, text)) ||
            isCommon(symbol) ||
            isFurtherOverload(symbol) ||
            isEmptyOfMeaning(symbol, source, isOverloaded(symbol))))
      )
    }),
    ...Array.from(familiesOf(symbols, text).values()).flat(),
  ])
}

/** Matches a definition of Python that one of its decorators calls an overload. */
const overload = /^(?:@[^\n]*\n\s*)*?@(?:\w+\.)?overload\s*\n/

/**
 * Finds families: functions of one or a few lines beside each other which differ only in their names, in literals and
 * in the types that they name, such as one for each colour. Returns the first of each with the others.
 */
export const familiesOf = <Symbol extends Placed>(
  symbols: ReadonlyArray<Symbol>,
  text: string,
): ReadonlyMap<Symbol, ReadonlyArray<Symbol>> => {
  const sourceOf = ({ end, start }: Symbol) => text.slice(start, end).trim()
  const short = symbols.filter(
    (symbol) =>
      isFunction(symbol) &&
      symbol.end - symbol.start <= MAX_FAMILY_CHARS &&
      (divide(symbol.name, sourceOf(symbol))?.body ?? "") !== "",
  )
  const byShape = Map.groupBy(short, (symbol) => `${symbol.container ?? ""}\0${shapeOf(symbol.name, sourceOf(symbol))}`)
  return new Map(
    Array.from(byShape.values()).flatMap((family) => {
      const [first, ...others] = family
      const names = new Set(family.map(({ name }) => name))
      // Overloads have one name, and tell what a type decides. Those with one body are stubs.
      const bodies = new Set(family.map((symbol) => divide(symbol.name, sourceOf(symbol))?.body))
      const isFamily = names.size >= MIN_FAMILY && bodies.size >= MIN_FAMILY
      return first === undefined || !isFamily ? [] : [[first, others] as const]
    }),
  )
}

/** So many functions with different names are a family. Two or three may well be told apart by a sentence. */
const MIN_FAMILY = 4

/** A longer function has more in it than one call. */
const MAX_FAMILY_CHARS = 240

const isFunction = ({ kind }: { readonly kind: Kind }): boolean => kind === "function" || kind === "method"

/** A longer symbol does something by itself. */
const isShort = ({ end, endLine, start, startLine }: Placed): boolean =>
  endLine - startLine < MAX_LINES && end - start <= MAX_CHARS

const MAX_LINES = 12
const MAX_CHARS = 800

/** The part of a source before the name, which has attributes and modifiers. */
const headOf = ({ name }: Placed, source: string): string => {
  const start = source.slice(0, MAX_HEAD)
  // The name may stand in a message of an attribute too; there it is followed by something else.
  const at = findWord(start, name, beginsDeclaration)?.at
  return at === undefined ? "" : start.slice(0, at)
}

/** Matches what follows the name of a declaration: generics, and parameters, a body or a value. */
const beginsDeclaration = /\s*(?:<[^()]*>)?\s*[({:=]/y

const MAX_HEAD = 1_500

/** Matches attributes that make every use an error: of Kotlin, C# and Swift. */
const isUnusable =
  /@Deprecated\s*\((?:[^"]|"(?:[^"\\]|\\.)*")*?\bDeprecationLevel\s*\.\s*(?:ERROR|HIDDEN)\b|\[\s*(?:System\.)?Obsolete(?:Attribute)?\s*\(\s*@?"(?:[^"\\]|\\.)*"\s*,\s*(?:error\s*[:=]\s*)?true\s*\)|@available\s*\(\s*\*\s*,\s*(?:unavailable|deprecated\s*,\s*obsoleted)\b/

/** Matches `type Boxed = Box<dyn Body>`. What has parts of its own, such as a union, is worth a sentence. */
const isAlias =
  /^(?:(?:export|declare|public|pub(?:\([^()]*\))?|internal|private|fileprivate|open)\s+)*(?:type|typealias)\s+\w+(?:<[^=]{0,200}>)?\s*=\s*[\w.:[\]*]+(?:<[\w\s.:<>,&'?*+[\]()]{0,300}>)?\s*;?$/

const isTest = ({ start }: Placed, text: string): boolean =>
  /#\[(?:\w+::)*test(?:\([^\]]*\))?\]\s*(?:#\[[^\]]*\]\s*)*$/.test(
    text.slice(Math.max(0, start - MAX_ATTRIBUTES), start),
  )

/** The most characters of attributes above a symbol that are read. */
const MAX_ATTRIBUTES = 300

/**
 * Returns whether a function of three lines at most is one that types of its language have in common: copies,
 * comparisons, conversions, and what makes a list sortable. A longer one decides something.
 */
const isCommon = ({ endLine, name, signature, startLine }: Outlined): boolean =>
  endLine - startLine <= 2 &&
  (/^(?:compareTo|CompareTo|operator [!=]=|__(?:eq|lt|le|tostring))$/.test(name) ||
    /^impl (?:From|AsRef|AsMut|Deref|DerefMut|Borrow|BorrowMut): |\b[cC]lone\(\s*\)|^func \([^)]*\) (?:(?:String|GoString)\(\) string|Equal\(|Len\(\) int|Less\(|Swap\()/.test(
      signature,
    ))

/** Returns whether the body of a function has a single statement, or none, that its name and signature foretell. */
const isEmptyOfMeaning = (symbol: Placed, source: string, isOverloaded: boolean): boolean => {
  if (!isShort(symbol)) return false
  const { body, parameters } = divide(symbol.name, source) ?? {}
  if (body === undefined || parameters === undefined) return false
  const statement = toStatement(body)
  // A function at the top level that does nothing is a choice, while a method may have to be there.
  const isTrivial =
    symbol.kind === "method" &&
    (isNothing.test(statement) ||
      (withoutParameters.test(parameters) && (isField.test(statement) || isLiteral.test(statement))))
  return (
    isTrivial ||
    isFailure.test(statement) ||
    isForwarding(symbol.name, statement, parameters, isOverloaded) ||
    (isConstructor(symbol) && keepsParameters(body, parameters))
  )
}

/** The parameters of a function and its body, without the brackets around them. */
interface Divided {
  readonly parameters: string
  readonly body: string
}

/** Undefined for a function without a body, and for a source of another form. */
const divide = (name: string, source: string): Divided | undefined => {
  const begin = findWord(source, name, beginsParameters)
  if (begin === undefined) return undefined
  const open = begin.end - 1
  const close = closing(source, open)
  if (close === undefined) return undefined
  const parameters = source.slice(open + 1, close)
  const rest = source.slice(close + 1)
  const before = source.slice(0, begin.at)
  const [, ofPython] = /\bdef\s+$/.test(before) ? (afterColon.exec(rest) ?? []) : []
  const [, ofLua] = /\bfunction\b/.test(source.slice(0, open)) ? (beforeEnd.exec(rest) ?? []) : []
  const body = ofPython ?? inBraces(rest) ?? ofLua ?? (afterArrow.exec(rest) ?? afterEquals.exec(rest))?.[1]
  return body === undefined ? undefined : { parameters, body: body.trim() }
}

/** Matches what stands between the name of a function and its parameters: generics, a type, `= async function`. */
const beginsParameters = /\s*(?:<[^()]*>)?\s*(?:(?::[^()=]*)?[:=]\s*(?:async\s+)?(?:function\b\s*)?)?\(/y

/**
 * Finds the first place of a word that something follows, given as a sticky pattern; `end` is behind that. No pattern
 * is made of the word, since each would have to be compiled.
 */
const findWord = (
  source: string,
  word: string,
  follows: RegExp,
): { readonly at: number; readonly end: number } | undefined => {
  // A symbol of a damaged file may have no name.
  if (word === "") return undefined
  for (let at = source.indexOf(word); at >= 0; at = source.indexOf(word, at + 1)) {
    if (at > 0 && isWordChar.test(source[at - 1] ?? "")) continue
    follows.lastIndex = at + word.length
    if (follows.test(source)) return { at, end: follows.lastIndex }
  }
  return undefined
}

const isWordChar = /[\w$]/

/** The braces end the source, and what stands before them is a result: `-> Self where T: Clone`. */
const inBraces = (rest: string): string | undefined => {
  const [before] = /^[^{}"`]*?(?==>\s*\{|\{)/.exec(rest) ?? []
  if (before === undefined || /=(?!>)/.test(before)) return undefined
  const open = rest.indexOf("{", before.length)
  const close = closing(rest, open)
  return close !== undefined && /^[;\s]*$/.test(rest.slice(close + 1)) ? rest.slice(open + 1, close) : undefined
}

/** TypeScript and C#. */
const afterArrow = /^[^={}]*=>\s*(?!\{)([\s\S]*)$/

/** Kotlin and Scala. */
const afterEquals = /^\s*(?::[^={}\n]+)?=\s*(?![=>])([\s\S]*)$/

/** Python. */
const afterColon = /^\s*(?:->[^:]+)?:(?!:)(?=\s)([\s\S]*)$/

/** Lua. */
const beforeEnd = /^\s([\s\S]*)\bend$/

/** Returns the place of the bracket that closes the one at `open`, passing over texts in quotes. */
const closing = (source: string, open: number): number | undefined => {
  let depth = 0
  let quote = ""
  for (let at = open; at < source.length; at++) {
    const char = source[at] ?? ""
    if (quote !== "") {
      if (char === "\\") at++
      else if (char === quote) quote = ""
    } else if (char === '"' || char === "`" || (char === "'" && isQuote(source, at))) quote = char
    else if ("([{".includes(char)) depth++
    else if (")]}".includes(char) && --depth === 0) return at
  }
  return undefined
}

/** A lifetime of Rust, `'a`, has no second quote. */
const isQuote = (source: string, at: number): boolean => !/^'\w+(?!\w*')/.test(source.slice(at, at + 30))

/** Removes what does not change what a single statement does. */
const toStatement = (body: string): string => {
  let statement = body.trim()
  for (let before = ""; before !== statement; ) {
    before = statement
    statement = statement
      .replace(/^(?:return|await|try[?!]?)\s+/, "")
      .replace(/(?:;|\?|!!|\.await)$/, "")
      .trim()
  }
  return statement
}

const withoutParameters = /^\s*(?:&?\s*(?:'\w+\s+)?(?:mut\s+)?self(?:\s*:[^,]*)?|cls|this)?\s*,?\s*$/

const isNothing = /^(?:|pass|\.\.\.|\(\)|Unit|undefined)$/

/** Matches a single call or statement that always fails: `throw`, `panic!` or the `TODO()` of Kotlin. */
const isFailure =
  /^(?:(?:throw|raise)\b[^;\n]*|(?:fatalError|preconditionFailure|panic!?|unimplemented!|todo!|unreachable!|TODO|error)\s*\([^;\n]*\))$/

const isField = /^(?:\(?[&*]?(?:mut )?)(?:\w+(?:\.|->|::|\?\.|!\.))*[#_]*\w+\)?(?:\(\))?$/

const isLiteral = /^(?:-?[\d._]+\w*|"[^"\\]*"|'[^'\\]*'|`[^`$]*`|true|false|nil|null|None|True|False)$/

/** Returns whether a statement calls a function of the same name with the parameters, or another overload of itself. */
const isForwarding = (name: string, statement: string, parameters: string, isOverloaded: boolean): boolean => {
  const call = findWord(statement, name, beginsArguments)
  if (call === undefined || closing(statement, call.end - 1) !== statement.length - 1) return false
  const receiver = statement.slice(0, call.at)
  if (!isReceiver.test(receiver)) return false
  const isOwn = /^(?:(?:self|this|Self|super|\$this)(?:\.|::|->|:))?$/.test(receiver)
  if (isOwn && !isOverloaded && !receiver.startsWith("super")) return false
  const names = new Set(parameters.match(/\w+/g) ?? [])
  const text = statement.slice(call.end, -1).trim()
  const isPassed = (argument: string) => {
    const [, value = ""] =
      /^(?:\w+\s*[:=]\s*)?(?:\.\.\.|\*{0,2}|&(?:mut )?)(\w+)(?:\.\.\.)?$/.exec(argument.trim()) ?? []
    return names.has(value) || value === "self" || value === "this"
  }
  const isDefault = (argument: string) =>
    /^(?:\w+\s*[:=]\s*)?(?:[[\]:{}]+|\.?\w*\(\)|"[^"]*"|\w+)$/.test(argument.trim())
  return text === "" || text.split(",").every((argument) => isPassed(argument) || (isOwn && isDefault(argument)))
}

const beginsArguments = /(?:::)?(?:<[^()]*>)?\(/y

/** Matches `self.inner.get_mut().` and the like. */
const isReceiver = /^(?:[\w@$#?!.:&*]|->|\(\))*$/

/** Returns whether a function makes an object or sets a field: by its name, or by the name of its class. */
const isConstructor = ({ container = "", name }: Outlined): boolean =>
  /^(?:init|constructor|__init__|new|New\w*|set[A-Z_]\w*|Set[A-Z]\w*)$/.test(name) ||
  container.split(".").at(-1) === name

/** Returns whether each statement keeps a parameter: `self.x = x`, or all are kept at once: `Self { x, y }`. */
const keepsParameters = (body: string, parameters: string): boolean => {
  const names = new Set(parameters.match(/\w+/g) ?? [])
  const [, fields] = /^(?:return\s+)?&?(?:Self|[A-Z]\w*)\s*(?:\{([^{}]*)\}|\(([^()]*)\));?$/.exec(body) ?? []
  if (fields !== undefined) {
    return fields.split(",").every((field) => {
      const [, key = "", value = key] = /^\s*(\w*)(?:\s*:\s*(\w+))?\s*$/.exec(field) ?? []
      return field.trim() === "" || names.has(value)
    })
  }
  return body.split(/[;\n]/).every((statement) => {
    const [, value = ""] = /^\s*(?:(?:self|this|\$this)(?:\.|->))?[#_]*\w+\s*=\s*(\w+)\s*$/.exec(statement) ?? []
    return statement.trim() === "" || names.has(value)
  })
}

/** Writes one letter for the name. */
const withoutName = (name: string, source: string): string => {
  const parts: Array<string> = []
  let end = 0
  for (;;) {
    const rest = end === 0 ? source : source.slice(end)
    const found = findWord(rest, name, endsWord)
    if (found === undefined) return [...parts, rest].join("N").replaceAll(/\s+/g, " ")
    parts.push(rest.slice(0, found.at))
    end += found.end
  }
}

const endsWord = /(?![\w$])/y

/** Writes one letter for the name, and for each literal and name of a type. */
const shapeOf = (name: string, source: string): string =>
  withoutName(name, source)
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|(?<![\w$])\d[\w.]*/g, "0")
    .replaceAll(/(?<![\w$])(?!N(?![\w$]))[A-Z][\w$]*/g, "T")
