/** The tools that OpenAI, and servers that make a grammar of a schema, refuse. */

export interface Declared {
  readonly name: string
  readonly parameters: unknown
}

/** What an answer is to be. */
export interface Format {
  readonly name: string
  readonly strict: boolean
  readonly schema: unknown
}

export const brokenFormat = (format: Format | undefined): string | undefined => {
  if (format === undefined) return undefined
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(format.name)) return "a format's name is no name"
  return wrongWithin(format.schema) ?? (format.strict ? wrongStrictly(format.schema) : undefined)
}

const wrongStrictly = (schema: unknown): string | undefined => {
  if (Array.isArray(schema)) return schema.map(wrongStrictly).find((rule) => rule !== undefined)
  if (!isRecord(schema)) return undefined
  if (schema.type === "object") {
    if (schema.additionalProperties !== false)
      return "'additionalProperties' is required to be supplied and to be false"
    const { properties = {}, required = [] } = schema
    if (!isRecord(properties) || !Array.isArray(required)) return "an object has properties"
    if (Object.keys(properties).some((name) => !required.includes(name))) return "'required' is to include every key"
  }
  return Object.values(schema)
    .map(wrongStrictly)
    .find((rule) => rule !== undefined)
}

export const broken = (tools: ReadonlyArray<Declared>): string | undefined => {
  const names = tools.map(({ name }) => name)
  if (names.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))) return "a tool's name is no name"
  if (new Set(names).size < names.length) return "two tools have one name"
  return tools
    .map(({ parameters }) => wrongAtTop(parameters) ?? wrongWithin(parameters))
    .find((rule) => rule !== undefined)
}

const wrongAtTop = (schema: unknown): string | undefined => {
  if (!isRecord(schema) || schema.type !== "object") return "schema must be a JSON Schema of 'type: \"object\"'"
  if (!isRecord(schema.properties)) return "object schema missing properties"
  return ["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => keyword in schema)
    ? "schema must not have alternatives at the top level"
    : undefined
}

const wrongWithin = (schema: unknown): string | undefined => {
  if (Array.isArray(schema)) return schema.map(wrongWithin).find((rule) => rule !== undefined)
  if (!isRecord(schema)) return undefined
  if (typeof schema.$ref === "string") return "a reference cannot be followed"
  if (typeof schema.$schema === "string") return "unknown keyword $schema"
  if (schema.type === "array" && !isRecord(schema.items)) return "array schema missing items"
  return Object.values(schema)
    .map(wrongWithin)
    .find((rule) => rule !== undefined)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
