/**
 * Finds the tool for which a provider refuses a request. The provider's message has the tool's position, its name, or
 * what is wrong with it. Pure.
 */
import { isObject } from "../base/Json.ts"
import type { Tool } from "../tool/Tool.ts"

/**
 * Returns a message for the user that names the tool. Returns `undefined` if the refusal is not about the declaration
 * of a tool.
 */
export const describe = (message: string, tools: ReadonlyArray<Tool>): string | undefined => {
  if (aboutCalls.test(message) && !aboutSchemas.test(message)) return undefined
  const tool = atPosition(message, tools) ?? findNamed(message, tools)
  const [first, ...others] = tool === undefined ? withKeyword(message, tools) : [tool]
  if (first === undefined) return undefined
  const names = [first, ...others].slice(0, MAX_NAMES).map(nameOf)
  const more = others.length < MAX_NAMES ? "" : ` or ${others.length + 1 - MAX_NAMES} more`
  const help = first.origin === undefined ? "" : `; 'only' in the settings of that server can leave it out`
  return `${names.join(" or ")}${more} is refused: ${message}${help}`
}

const MAX_NAMES = 3

const nameOf = ({ name, origin }: Tool): string =>
  origin === undefined ? `the tool '${name}'` : `the tool '${origin.tool}' of the server '${origin.server}'`

/** Messages about calls and their results name tools, too. */
const aboutCalls = /tool.?(?:use|result|call)|function.?(?:call|response)/i

const aboutSchemas = /schema|declaration|parameters/i

/**
 * Reads a position such as `tools[0].function_declarations[3]` of Gemini, `tools[3].function` of OpenAI, or
 * `tools.3.custom` of Anthropic.
 */
const atPosition = (message: string, tools: ReadonlyArray<Tool>): Tool | undefined => {
  const position =
    /function_?declarations(?:\[(\d+)\]|\.(\d+))/i.exec(message) ?? /\btools(?:\[(\d+)\]|\.(\d+))/i.exec(message)
  return position === null ? undefined : tools[Number(position[1] ?? position[2])]
}

/**
 * Finds the longest tool name in the message. A name that is a usual word counts only in quotes or after a word for
 * tools.
 */
const findNamed = (message: string, tools: ReadonlyArray<Tool>): Tool | undefined =>
  [...tools]
    .sort((one, other) => other.name.length - one.name.length)
    .find(({ name }) => {
      const text = name.replaceAll(/[^\w-]/g, ".")
      const marked = `["'\`]${text}["'\`]|\\b(?:function|tool)s?(?: name)?:? ${text}(?![\\w-])`
      const alone = /[a-z0-9][_-]|[a-z][A-Z]/.test(name) ? `|(?<![\\w-])${text}(?![\\w-])` : ""
      return new RegExp(marked + alone).test(message)
    })

/**
 * Returns the tools whose parameters have a keyword of JSON Schema that the message names. If some of them are tools of
 * servers, only those are returned.
 */
const withKeyword = (message: string, tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> => {
  const words = new Set(message.match(/\$?\w+/g))
  const keyword =
    rareKeywords.find((word) => words.has(word)) ??
    (aboutTools.test(message) ? usualKeywords.find((word) => words.has(word)) : undefined)
  if (keyword === undefined) return []
  const found = tools.filter(({ parameters }) => hasKeyword(parameters, keyword))
  const ofServers = found.filter(({ origin }) => origin !== undefined)
  return ofServers.length === 0 ? found : ofServers
}

const aboutTools = /schema|declaration|parameter|propert|tool|function/i

/** Keywords that providers refuse, or accept in one form only. */
const rareKeywords = [
  ...["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "patternProperties", "propertyNames", "prefixItems"],
  ...["unevaluatedProperties", "unevaluatedItems", "dependentRequired", "dependentSchemas", "additionalItems"],
  ...["anyOf", "oneOf", "allOf", "$ref", "$defs", "uniqueItems", "minItems", "maxItems", "minLength", "maxLength"],
  ...["minContains", "maxContains", "minProperties", "maxProperties", "contentEncoding", "additionalProperties"],
]

const usualKeywords = ["definitions", "dependencies", "contains", "const", "pattern", "format", "enum", "items"]

const hasKeyword = (schema: unknown, keyword: string): boolean =>
  Array.isArray(schema)
    ? schema.some((inner) => hasKeyword(inner, keyword))
    : isObject(schema) &&
      (Object.hasOwn(schema, keyword) || Object.values(schema).some((inner) => hasKeyword(inner, keyword)))
