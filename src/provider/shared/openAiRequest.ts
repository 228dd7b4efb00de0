/** The parts that requests to OpenAI and to compatible servers share: tools, and how much the model thinks. Pure. */
import { isObject, type JsonObject } from "../../base/Json.ts"
import type { Thinking } from "../../model/Thinking.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toWireName } from "./toolNames.ts"
import { flattenAlternatives, inlineReferences, modernize, removeSchemaKeyword } from "./toolSchema.ts"
import { wellFormedIn } from "./wireJson.ts"

export interface Declaration {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>
}

/** Declares every tool, in the order of `tools`. */
export const declarations = (tools: ReadonlyArray<Tool>): ReadonlyArray<Declaration> => tools.map(declaration)

/** The declaration is cached by tool, since the next request uses it again. */
const declaration = (tool: Tool): Declaration => {
  const known = cache.get(tool)
  if (known !== undefined) return known
  const made = {
    name: toWireName(tool.name),
    description: tool.description.toWellFormed(),
    parameters: wellFormedIn(objectSchema(tool.parameters)),
  }
  cache.set(tool, made)
  return made
}

const cache = new WeakMap<Tool, Declaration>()

/**
 * OpenAI rejects a schema if its top level is not an `object` with `properties` or has alternatives.
 * Servers that compile schemas to grammars do not follow references.
 */
const objectSchema = (schema: JsonObject): JsonObject => {
  const whole = modernize(removeSchemaKeyword(inlineReferences(schema)))
  if (!isObject(whole)) return { type: "object", properties: {} }
  const { enum: _, not: __, ...rest } = whole
  return flattenAlternatives(rest)
}

/**
 * Returns OpenAI's parameter for how much a reasoning model thinks. The lowest effort differs: `minimal` for gpt-5,
 * `none` from gpt-5.1 on, `low` for the o series and for Codex. The pro models always think.
 */
export const reasoningEffort = (model: string, thinking: Thinking | undefined): string | undefined => {
  if (thinking === undefined || /-pro\b/.test(model)) return undefined
  if (thinking !== "off") return thinking
  if (/^o\d|codex/.test(model)) return "low"
  return /^gpt-5(?![.\d])/.test(model) ? "minimal" : "none"
}
