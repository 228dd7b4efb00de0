/** Derives the purpose of a symbol from its comment, or else from its name, signature and callers. Pure. */
import type { Outlined } from "./notes.ts"

/** The prose of a comment, up to one or two sentences; none where it holds only tags. */
export const fromComment = (doc: string): string | undefined => {
  const prose = doc.split(/(?:^|\s)@[a-z]\w*/i)[0]?.trim() ?? ""
  if (!/\p{L}{2}/u.test(prose)) return undefined
  if (prose.length <= 300) return prose
  const end = prose.slice(0, 300).lastIndexOf(". ")
  return end > 60 ? prose.slice(0, end + 1) : `${prose.slice(0, 299).toWellFormed()}…`
}

/** `Tells whether something is major, given entry; used by a.ts, b.ts and 3 more.` */
export const derivePurpose = (symbol: Outlined, users: ReadonlyArray<string>): string =>
  `${describeSymbol(symbol)}${describeUsers(symbol.usedBy ?? 0, users)}`

const describeSymbol = ({ kind, path, signature, symbol }: Outlined): string => {
  const [name = symbol, container] = symbol.split(".").reverse()
  const words = splitIdentifier(name)
  const [first = "", ...rest] = words
  const object = rest.join(" ")
  switch (kind) {
    case "function":
    case "method":
      if (isComponent(path, name)) return `Component for ${words.join(" ")}${parameters(signature)}`
      return `${action(first, object) ?? `Function for ${words.join(" ")}`}${parameters(signature)}`
    case "class":
      return words.at(-1) === "error" || words.at(-1) === "exception"
        ? `The error for ${words.slice(0, -1).join(" ") || "a failure"}`
        : `Class for ${words.join(" ")}`
    case "interface":
    case "type":
      return `The shape of ${words.join(" ")}`
    case "enum":
      return `The kinds of ${words.join(" ")}`
    default:
      return container === undefined ? `The ${kind} for ${words.join(" ")}` : `The ${words.join(" ")} of ${container}`
  }
}

/** Functions named like elements, in files with elements: `<UndoButton />`. */
const isComponent = (path: string, name: string): boolean => /\.[jt]sx$/.test(path) && /^\p{Lu}/u.test(name)

/** Verbs with an irregular form or a special phrase. */
const verbs: Readonly<Record<string, (object: string) => string>> = {
  is: (object) => `Tells whether something is ${object}`,
  has: (object) => `Tells whether there is ${object}`,
  can: (object) => `Tells whether it can ${object}`,
  should: (object) => `Tells whether it should ${object}`,
  to: (object) => `Converts to ${object}`,
  from: (object) => `Makes it from ${object}`,
  on: (object) => `Handles ${object}`,
  use: (object) => `Hook for ${object}`,
  with: (object) => `Adds ${object}`,
  new: (object) => `Makes a new ${object}`,
  init: (object) => `Sets up ${object}`,
  setup: (object) => `Sets up ${object}`,
}

/** Frequent first words of function names; other first words are taken for nouns. */
const regularVerbs = new Set(
  "add append apply assert attach bind build calculate call cancel check clean clear clone close collect compare compile compute configure connect convert copy count create decode define delete describe detect determine disable dispatch display do download dump emit enable encode end ensure escape evaluate execute expand export extract fetch fill filter find finish flatten flush format generate get group handle hash hide import include increment infer initialize insert inspect install invoke iterate join kill list load lock log look make map match measure merge modify mount move normalize notify open pack parse patch perform persist pick ping play poll pop prepare print process publish pull push put query raise read receive record reduce refresh register reject release reload remove rename render repeat replace report request require reset resolve restart restore retry return revert run save scan schedule search select send serialize serve set show shut skip sort split start stop store strip submit subscribe switch sync test throw toggle track transform translate trigger trim truncate try unregister unsubscribe update upload validate verify visit wait walk watch wrap write".split(
    " ",
  ),
)

const action = (verb: string, object: string): string | undefined => {
  const special = verbs[verb]
  if (special !== undefined && object !== "") return special(object)
  if (!regularVerbs.has(verb)) return undefined
  const ending = /(s|x|z|ch|sh|o)$/.test(verb) ? "es" : /[^aeiou]y$/.test(verb) ? "ies" : "s"
  const stem = ending === "ies" ? verb.slice(0, -1) : verb
  const sentence = `${stem}${ending}${object === "" ? "" : ` ${object}`}`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** The parameter names of a signature, without types. */
const parameters = (signature: string): string => {
  const inside = signature.match(/\(([^()]*)\)/)?.[1]?.trim() ?? ""
  const names = inside
    .split(",")
    .map((parameter) => parameter.split(/[:=]/)[0]?.trim() ?? "")
    .filter((name) => /^[\w$*&.\s]+$/.test(name) && name !== "self" && name !== "this")
  return names.length === 0 || names.length > 5 ? "" : `, given ${names.join(", ")}`
}

const describeUsers = (usedBy: number, users: ReadonlyArray<string>): string => {
  const [first, second] = users
  if (usedBy === 0) return "."
  if (first === undefined) return `; used by ${files(usedBy)}.`
  // The name is ambiguous: its users are unknown.
  if (users.length > usedBy) return "."
  const named = second === undefined ? first : `${first}, ${second}`
  const more = usedBy - (second === undefined ? 1 : 2)
  return more > 0 ? `; used by ${named} and ${more} more.` : `; used by ${named}.`
}

const files = (count: number): string => (count === 1 ? "one other file" : `${count} other files`)

/** `parseHTTPHeader_v2` → parse, http, header, v2. */
const splitIdentifier = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())
