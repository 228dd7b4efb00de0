/**
 * Reads what a signature of C or C++ says of a function: whether it is a macro, static, and which parameters it has.
 */

interface Parameters {
  readonly least: number
  /** Infinite after `...`. */
  readonly most: number
  /** The types without names and defaults, by which a declaration is the same as a definition. */
  readonly types: string
}

export const isMacro = (signature: string): boolean => signature.startsWith("#")

export const isStatic = (signature: string): boolean => /^(?:[A-Za-z_]\w*\s+){0,5}static\b/.test(signature)

/** Returns whether a type can be named without `struct`, `union` or `enum` before it in C. */
export const isTypedef = (signature: string): boolean => /^typedef\b/.test(signature)

/** Returns the parameters of a function or a macro; `undefined` if the signature was cut within them or has none. */
export const parametersOf = (signature: string, name: string): Parameters | undefined => {
  const at = signature.indexOf(`${name}(`)
  const spaced = at === -1 ? signature.indexOf(`${name} (`) : at
  const open = spaced === -1 ? -1 : signature.indexOf("(", spaced)
  if (open === -1) return undefined
  const parts: Array<string> = []
  let from = open + 1
  let depth = 1
  for (let end = from; end < signature.length; end++) {
    const character = signature.charAt(end)
    if ("([{<".includes(character)) depth++
    else if (")]}>".includes(character) && !(character === ">" && signature.charAt(end - 1) === "-")) depth--
    if (depth > 1 || (depth === 1 && character !== ",")) continue
    parts.push(signature.slice(from, end).trim())
    from = end + 1
    if (depth === 0) return countsOf(parts)
  }
  return undefined
}

const countsOf = (parts: ReadonlyArray<string>): Parameters => {
  const [first = ""] = parts
  if (parts.length === 1 && (first === "" || first === "void")) return { least: 0, most: 0, types: "" }
  const isOpen = parts.some((part) => part.includes("..."))
  const named = parts.filter((part) => !part.includes("..."))
  return {
    least: named.filter((part) => !part.includes("=")).length,
    most: isOpen ? Number.POSITIVE_INFINITY : named.length,
    types: parts.map(typeOf).join(","),
  }
}

/** Words that are a type or a part of one, so that a parameter of them alone has no name. */
const ofType = /^(?:const|volatile|unsigned|signed|short|long|int|char|float|double|bool|void|auto|struct|class|enum)$/

/** Returns a parameter without its name and its default. */
const typeOf = (parameter: string): string => {
  const declared = parameter.replace(/\s*=.*$/s, "").replace(/\s*\[[^\]]*\]$/, "*")
  const [, before = "", last = ""] = /^(.*?[\s*&>])(\w+)$/s.exec(declared) ?? []
  const isNamed =
    last !== "" && !ofType.test(last) && /[\w>]/.test(before) && !/^\s*(?:const|struct|enum)\s*$/.test(before)
  return (isNamed ? before : declared).replace(/\s+/g, "").replace(/\b\w+::/g, "")
}
