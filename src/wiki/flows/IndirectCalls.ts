/**
 * Reads from the text of a function where it calls what a parameter, a variable or a property holds, and what is
 * assigned to these. Pure; works on text whose comments and strings are blank (`MaskedText`).
 */
import { escapePattern } from "../../base/Text.ts"
import { closeOf, endOf, type Family, splitList } from "./MaskedText.ts"

/**
 * Something that may hold a function: a variable or parameter, a property of the object, or
 * a value by its key in a table.
 */
export interface Holder {
  readonly kind: "variable" | "property" | "key"
  readonly name: string
}

/** Offsets of an expression, the end not included. */
export interface Expression {
  readonly start: number
  readonly end: number
}

/** A call of what a holder holds. */
export interface IndirectCall {
  readonly holder: Holder
  /** The holder as the code writes it: `$handler`, `self.app`. */
  readonly text: string
  readonly at: number
}

const calls: Readonly<Record<Family, RegExp>> = {
  php: /(?<![\w>:$\\])\(?\s*(?:\$this->(?<property>\w+)(?=[\w[\]\s]*\)\s*\()|\$(?!this\b)(?<variable>\w+))(?:\[[^\]\n]*\])*\s*\)?\s*\(/g,
  ecma: /(?<![\w$.#])(?:this\.(?<property>#?[\w$]+)|(?<variable>[A-Za-z_$][\w$]*))(?:\[[^\]\n]*\])*(?:\?\.|\.(?:call|apply)(?=\())?\s*\(/g,
  python: /(?<![\w.])(?:self\.(?<property>\w+)|(?<variable>[A-Za-z_]\w*))(?:\[[^\]\n]*\])*\(/g,
}

/** Words with brackets behind them that are no calls. */
const words: ReadonlySet<string> = new Set(
  "if for while switch catch function return super await typeof new async def class lambda not and or in is elif yield del assert except with print".split(
    " ",
  ),
)

/** Matches what stands before a name that is declared, and not called: `function name(`, `def name(`. */
const declaring = /\b(?:function\*?|def|class|get|set|static|new)\s+$/

/**
 * Lists calls of variables, properties and values in tables. Of a name it is not known here whether it is that of a
 * function. `text` has its strings, for the keys of tables.
 */
export const read = (text: string, masked: string, family: Family): ReadonlyArray<IndirectCall> =>
  Array.from(masked.matchAll(calls[family]), ({ 0: { length }, groups = {}, index }): IndirectCall | undefined => {
    const { property, variable = "" } = groups
    const at = index + masked.slice(index, index + length).search(/[\w$]/)
    if (property !== undefined) {
      return { holder: { kind: "property", name: property }, text: `${self[family]}${property}`, at }
    }
    if (words.has(variable) || declaring.test(masked.slice(Math.max(0, at - 20), at))) return undefined
    const name = family === "php" ? `$${variable}` : variable
    const key = /\[(["'])([\w-]+)\1\][\s)]*\($/.exec(text.slice(at, index + length))?.[2]
    return key === undefined
      ? { holder: { kind: "variable", name: variable }, text: name, at }
      : { holder: { kind: "key", name: key }, text: `${name}['${key}']`, at }
  }).filter((call) => call !== undefined)

const self: Readonly<Record<Family, string>> = { php: "$this->", ecma: "this.", python: "self." }

/** Lists what is assigned to a variable in the text of a function, and the collections that a loop takes it from. */
export const assignmentsTo = (masked: string, name: string, family: Family): ReadonlyArray<Expression> => {
  const found = expressionsAt(masked, assignedIn(masked, name, family), family)
  if (!isLooped(masked, name, family)) return found
  const word = escapePattern(name)
  const loop = {
    php: `\\bforeach\\s*\\((?<list>[^;{}]{1,200}?)\\s+as\\s+(?:\\$\\w+\\s*=>\\s*)?&?\\$${word}\\s*\\)`,
    ecma: `\\bfor\\s*(?:await\\s*)?\\(\\s*(?:const|let|var)\\s+${word}\\s+of\\s(?<list>[^;{}]{1,200}?)\\)\\s*[{\\n]`,
    python: `\\bfor\\s[^:\\n]{0,80}?\\b${word}\\b[^:\\n]{0,80}?\\sin\\s(?<list>[^\\n]{1,200}):[ \\t]*$`,
  }[family]
  for (const { 0: text, groups, index } of masked.matchAll(new RegExp(loop, "gm"))) {
    const list = groups?.list ?? ""
    const start = index + text.lastIndexOf(list)
    found.push({ start, end: start + list.length })
  }
  return found
}

/** Returns whether `assignmentsTo` may find anything. */
export const isAssigned = (masked: string, name: string, family: Family): boolean =>
  isLooped(masked, name, family) || assignedIn(masked, name, family).length > 0

/** Matches what stands between the name of a variable and what is assigned to it. */
const assignment: Readonly<Record<Family, RegExp>> = {
  php: /(?:\[[^\]\n]*\])?\s*(?:\?\?)?=(?![=>])/y,
  ecma: /\s*(?::[^=;\n()]{1,80})?(?:\?\?|\|\|)?=(?![=>])/y,
  python: /\s*(?::[^=\n]{1,80})?=(?!=)/y,
}

/** Matches what must stand before the name of a variable that is assigned. */
const beforeAssigned: Readonly<Record<Family, RegExp>> = {
  php: /\$$/,
  ecma: /(?<![\w$.])$/,
  python: /(?:^|[\r\u2028\u2029])[ \t]*$/,
}

/**
 * Returns where what is assigned to a variable begins. A pattern with the name in it would do the same, but V8 compiles
 * one for as long as it searches a function with it, and most names are assigned nothing.
 */
const assignedIn = (masked: string, name: string, family: Family): ReadonlyArray<number> => {
  const found: Array<number> = []
  const pattern = assignment[family]
  for (let at = masked.indexOf(name); at !== -1; ) {
    pattern.lastIndex = at + name.length
    const isAssigned = pattern.test(masked) && isBehind(masked, at, beforeAssigned[family])
    const next = isAssigned ? pattern.lastIndex : at + name.length
    if (isAssigned) found.push(next)
    at = masked.indexOf(name, next)
  }
  return found
}

/** Returns whether the line up to an offset ends as a pattern says. */
const isBehind = (masked: string, at: number, pattern: RegExp): boolean =>
  pattern.test(masked.slice(masked.lastIndexOf("\n", at - 1) + 1, at))

/** Matches what follows the name of a variable in the head of a loop over it. */
const looped: Readonly<Record<Family, RegExp>> = { php: /\s*\)/y, ecma: /\s+of\s/y, python: /[^:\n]{0,80}?\sin\s/y }

/** Returns whether a loop may give a variable its values. */
const isLooped = (masked: string, name: string, family: Family): boolean => {
  const pattern = looped[family]
  for (let at = masked.indexOf(name); at !== -1; at = masked.indexOf(name, at + name.length)) {
    pattern.lastIndex = at + name.length
    if (pattern.test(masked)) return true
  }
  return false
}

/** Lists what is assigned or added to a property of the object in the text of a method. */
export const assignmentsToProperty = (masked: string, name: string, family: Family): ReadonlyArray<Expression> => {
  if (!masked.includes(`${self[family]}${name}`)) return []
  const property =
    { php: "\\$this->", ecma: "(?<![\\w$.])this\\.", python: "(?<![\\w.])self\\." }[family] + escapePattern(name)
  const found = expressionsAfter(
    masked,
    new RegExp(`${property}(?:\\[[^\\]\\n]*\\])*\\s*(?::[^=\\n]{1,80})?(?:\\?\\?|\\|\\|)?=(?![=>])`, "g"),
    family,
  )
  const added =
    family === "php"
      ? `\\barray_(?:push|unshift)\\(\\s*${property}\\s*,`
      : `${property}\\??\\.(?:push|unshift|append|appendleft|add|insert|set|extend)\\(`
  for (const { 0: text, index } of masked.matchAll(new RegExp(added, "g"))) {
    const open = masked.indexOf("(", index)
    const [first] = splitList(masked, open)
    const start = text.endsWith(",") ? index + text.length : (first?.[0] ?? open + 1)
    found.push({ start, end: closeOf(masked, open) })
  }
  return found
}

/**
 * Lists what is assigned to a key of a table: `$options['handler'] = …`, `"handler": …`. The
 * keys stand in the text itself.
 */
export const assignmentsToKey = (
  text: string,
  masked: string,
  name: string,
  family: Family,
): ReadonlyArray<Expression> =>
  text.includes(name)
    ? expressionsAfter(
        text,
        new RegExp(
          `\\[(["'])${escapePattern(name)}\\1\\]\\s*(?:\\?\\?)?=(?![=>])|(["'])${escapePattern(name)}\\2\\s*(?:=>|:)`,
          "g",
        ),
        family,
        masked,
      )
    : []

/** Lists what a function returns, and the functions within it. */
export const results = (masked: string, family: Family): ReadonlyArray<Expression> =>
  expressionsAfter(masked, /\breturn\b(?=[\s(])/g, family)

const expressionsAfter = (text: string, pattern: RegExp, family: Family, masked: string = text): Array<Expression> =>
  expressionsAt(
    masked,
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => index + found.length),
    family,
  )

const expressionsAt = (masked: string, starts: ReadonlyArray<number>, family: Family): Array<Expression> =>
  starts.map((start) => ({ start, end: endOf(masked, start, family) })).filter(({ end, start }) => end > start)

/**
 * Returns the names of the parameters of the function that a text declares, without the object that it is a method of.
 */
export const parametersOf = (masked: string, name: string, family: Family): ReadonlyArray<string> => {
  const declared = new RegExp(
    {
      php: `\\bfunction\\s*&?\\s*${escapePattern(name)}\\s*\\(`,
      python: `\\bdef\\s+${escapePattern(name)}\\s*\\(`,
      ecma: "\\(",
    }[family],
  ).exec(masked)
  if (declared === null) return []
  const open = declared.index + declared[0].length - 1
  const names = splitList(masked, open).map(([start, end]) => parameterIn(masked.slice(start, end), family))
  return family === "python" && /^(?:self|cls)$/.test(names[0] ?? "") ? names.slice(1) : names
}

/** Returns the names of the parameters of functions without a name in a text. */
export const closureParameters = (masked: string, family: Family): ReadonlySet<string> => {
  const heads = {
    php: /\b(?:function|fn)\s*&?\s*\(/g,
    ecma: /\bfunction\b\s*\*?\s*[\w$]*\s*\(|\((?=[^()]*\)\s*(?::[^=;{}()]{1,80})?=>)/g,
    python: /\bdef\s+\w+\s*\(/g,
  }[family]
  return new Set(
    Array.from(masked.matchAll(heads), ({ 0: text, index }) =>
      splitList(masked, index + text.length - 1).map(([start, end]) => parameterIn(masked.slice(start, end), family)),
    ).flat(),
  )
}

const parameterIn = (text: string, family: Family): string =>
  ({
    php: /\$(\w+)/,
    ecma: /^\s*(?:\.\.\.|(?:public|private|protected|readonly|override)\s+)*([\w$]+)/,
    python: /^\s*\*{0,2}(\w+)/,
  })[family].exec(text)?.[1] ?? ""

/** Returns whether a constructor declares a property as its parameter. */
export const isPromoted = (masked: string, name: string, family: Family): boolean => {
  if (family === "python") return false
  const head = masked.slice(0, closeOf(masked, Math.max(0, masked.indexOf("("))))
  return (
    head.includes(name) &&
    /\b(?:public|private|protected|readonly)\s/.test(head) &&
    new RegExp(`\\b(?:public|private|protected|readonly)\\s[^,()]{0,80}?(?<![\\w$])\\$?${escapePattern(name)}\\b`).test(
      head,
    )
  )
}

/** A name in an expression. */
interface Mention {
  readonly name: string
  readonly at: number
  /** The offset of the bracket behind it, if it is called. */
  readonly open: number | undefined
  /** The holder that it is; undefined for the name of a declared function or type. */
  readonly holder: Holder | undefined
  /** True if only a member of it is used. */
  readonly isReceiver: boolean
  /** True if it is a member of something else than the object of the method. */
  readonly isMember: boolean
}

const mention = /(\$this->|\bthis\.|\bself\.|\$)?([A-Za-z_][\w$]*)((?:\[[^\]\n]*\])*)\s*(\(|::|\?->|->|\?\.|\.(?!\.))?/g

/** Lists the names in an expression. `text` has its strings, for the keys of tables. */
export const mentionsIn = (
  text: string,
  masked: string,
  { end, start }: Expression,
  family: Family,
): ReadonlyArray<Mention> =>
  Array.from(masked.slice(start, end).matchAll(mention), (match): Mention => {
    const [whole, prefix, name = "", subscript = "", after] = match
    const at = start + match.index + (prefix?.length ?? 0)
    const from = start + match.index
    const isMember = prefix === undefined && /(?:->|::|\.)\s*$/.test(masked.slice(Math.max(0, from - 4), from))
    const key = /\[(["'])([\w-]+)\1\]$/.exec(text.slice(at + name.length, at + name.length + subscript.length))?.[2]
    const isVariable = prefix === "$" || (prefix === undefined && family !== "php" && !isMember)
    const holder: Holder | undefined =
      key !== undefined && !isMember
        ? { kind: "key", name: key }
        : prefix !== undefined && prefix !== "$"
          ? { kind: "property", name }
          : isVariable
            ? { kind: "variable", name }
            : undefined
    const open = after === "(" ? from + whole.length - 1 : undefined
    return { name, at, open, holder, isReceiver: after !== undefined && after !== "(", isMember }
  })
