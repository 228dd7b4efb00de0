/** Tools as Gemini is told of them. */
import type { FunctionDeclaration } from "@google/genai"
import { isObject, type Json, type JsonObject } from "../../message/Json.ts"
import type { Tool } from "../../tool/Tool.ts"

/** In the order of `tools`, every tool alike. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<FunctionDeclaration> =>
  tools.map(({ description, name, parameters }) => ({
    name,
    description,
    parametersJsonSchema: withoutDialect(parameters),
  }))

/** Without the keyword `$schema`, however deep. A property that is called `$schema` stays: that one has a schema. */
const withoutDialect = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(withoutDialect)
  if (!isObject(schema)) return schema
  return mapValues(schema, (value, keyword) => {
    if (keyword === "$schema" && typeof value === "string") return undefined
    if (data.has(keyword)) return value
    return schemasByName.has(keyword) && isObject(value) ? mapValues(value, withoutDialect) : withoutDialect(value)
  })
}

/** Keywords that hold values, not schemas. */
const data = new Set(["const", "default", "enum", "examples"])

/** Keywords that hold schemas under names of the author's choice. */
const schemasByName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

const mapValues = (object: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const changed = change(value, key)
      return changed === undefined ? [] : [[key, changed]]
    }),
  )
