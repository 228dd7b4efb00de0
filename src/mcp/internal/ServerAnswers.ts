/**
 * Brings the answers of tool servers into the form that the SDK accepts: its decoder refuses a whole list of tools, or
 * the result of a tool that has run, because of one part of it. Pure.
 */
import * as Json from "../../base/Json.ts"
import { isEmptyList, mendSchema } from "./mendSchema.ts"

interface ListedTools {
  /** A result of `tools/list` with the parts of each tool that vibe reads. */
  readonly result: Json.JsonObject
  readonly leftOut: ReadonlyArray<LeftOut>
}

export interface LeftOut {
  /** Undefined if the tool has no name. */
  readonly name: string | undefined
  readonly why: string
}

/**
 * Makes the result of a message an object without metadata that is no object, and its error an object with a code and a
 * message. Otherwise the SDK would not take it for a response, and the request would wait for its whole time. Of a
 * result and an error one is `null` in the first version of JSON-RPC, and is dropped.
 */
export const mendResponse = (message: unknown): unknown => {
  if (!Json.isObject(message) || message.id === undefined) return message
  const { error, result, ...rest } = message
  if (error !== undefined && error !== null) return { ...rest, error: mendError(error) }
  if (result === undefined) return message
  return { ...rest, result: Json.isObject(result) ? withoutInvalidMeta(result) : { content: result } }
}

/** JSON-RPC's code of an error within the server. */
const INTERNAL_ERROR = -32_603

const mendError = (error: Json.Json): Json.JsonObject => {
  const { code, data, message } = Json.isObject(error) ? error : { message: error }
  return {
    code: Number.isSafeInteger(code) ? (code ?? INTERNAL_ERROR) : INTERNAL_ERROR,
    message: typeof message === "string" ? message : JSON.stringify(Json.withinLevels(message ?? error)),
    ...(data !== undefined && { data }),
  }
}

/**
 * Mends the tools of a list, and leaves out those that cannot be mended. Output schemas are dropped, since with them
 * the SDK would refuse a result without structured content.
 */
export const mendToolList = ({ nextCursor, tools, ...rest }: Json.JsonObject): ListedTools => {
  const leftOut: Array<LeftOut> = []
  const mended = (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const read = mendTool(tool)
    if (typeof read !== "string") return [read]
    leftOut.push({ name: Json.isObject(tool) && isName(tool.name) ? tool.name : undefined, why: read })
    return []
  })
  const cursor = typeof nextCursor === "number" ? String(nextCursor) : nextCursor
  return {
    result: {
      ...withoutInvalidMeta(rest),
      ...(typeof cursor === "string" && cursor !== "" && { nextCursor: cursor }),
      tools: mended,
    },
    leftOut,
  }
}

/**
 * Turns a result of `tools/call` into one text, whatever its blocks are, without what is nested too deeply. A result
 * that asks for input is returned unchanged.
 */
export const mendToolResult = (answer: Json.JsonObject): Json.JsonObject => {
  // An object stays an object, and what is read here is recursive.
  const result = Json.withinLevels(answer) as Json.JsonObject
  const { content: _, isError, structuredContent: __, toolResult: ___, ...rest } = result
  if (rest.resultType !== undefined && rest.resultType !== null && rest.resultType !== "complete") return result
  return {
    ...withoutInvalidMeta(rest),
    content: [{ type: "text", text: resultText(result) }],
    isError: isError === true || isError === "true",
  }
}

/**
 * Returns the text of a result. Blocks that are neither text nor a link are named with their size, since models read
 * text here. A block of an unknown type becomes its JSON. Structured content follows if the text does not hold it.
 */
export const resultText = ({ content, structuredContent, toolResult }: Json.JsonObject): string => {
  const given = content ?? toolResult ?? []
  const texts = (Array.isArray(given) ? given : [given]).map(blockText)
  const data = structuredContent ?? undefined
  return [...texts, ...(data === undefined || isSaidIn(texts, data) ? [] : [JSON.stringify(data)])].join("\n")
}

const isName = (name: Json.Json | undefined): name is string => typeof name === "string" && name !== ""

/** Returns the tool, or why it cannot be used. */
const mendTool = (tool: Json.Json): Json.JsonObject | string => {
  if (!Json.isObject(tool)) return "it is no object"
  const { annotations, description, inputSchema, name } = tool
  if (!isName(name)) return "it has no name"
  const schema = mendParameters(inputSchema)
  if (typeof schema === "string") return schema
  const isReadOnly = Json.isObject(annotations) && annotations.readOnlyHint === true
  return {
    name,
    ...(typeof description === "string" && { description }),
    inputSchema: schema,
    ...(isReadOnly && { annotations: { readOnlyHint: true } }),
  }
}

const mendParameters = (inputSchema: Json.Json | undefined): Json.JsonObject | string => {
  // PHP writes an empty object as a list.
  if (inputSchema === undefined || inputSchema === null || isEmptyList(inputSchema)) return noParameters
  if (!Json.isObject(inputSchema)) return "its parameters are no object"
  // The SDK, which reads all tools at once, would overflow the stack.
  if (Json.isDeeperThan(inputSchema, Json.mostLevels)) {
    return `its parameters are nested more than ${Json.mostLevels} levels deep`
  }
  const { type, ...schema } = mendSchema(inputSchema)
  const types = Array.isArray(type) ? type : [type ?? "object"]
  if (!types.includes("object")) return `its parameters are of the type ${JSON.stringify(type)}, not of an object`
  if (schema.properties !== undefined && !Json.isObject(schema.properties)) return "its properties are no object"
  return { ...schema, type: "object" }
}

const noParameters: Json.JsonObject = { type: "object", properties: {} }

const withoutInvalidMeta = ({ _meta, ...rest }: Json.JsonObject): Json.JsonObject =>
  Json.isObject(_meta) ? { ...rest, _meta } : rest

const blockText = (block: Json.Json): string => {
  if (typeof block === "string") return block
  if (!Json.isObject(block)) return JSON.stringify(block)
  const { data, mimeType, name, resource, text, title, type, uri } = block
  if (type === "resource" && Json.isObject(resource)) return resourceText(resource) ?? JSON.stringify(block)
  if (type === "resource_link" && typeof uri === "string") {
    return `[${[name, title].find((one) => isName(one)) ?? "link"}: ${uri}]`
  }
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return unshown(isName(mimeType) ? mimeType : String(type), data)
  }
  if ((type === "text" || type === undefined || type === null) && typeof text === "string") return text
  return JSON.stringify(shorten(block))
}

const resourceText = ({ blob, mimeType, text, uri }: Json.JsonObject): string | undefined => {
  if (typeof text === "string") return text
  const place = typeof uri === "string" ? ` of ${uri}` : ""
  return typeof blob === "string" ? unshown(isName(mimeType) ? mimeType : "binary data", blob, place) : undefined
}

const unshown = (type: string, base64: string, place = ""): string =>
  `[${type}${place}, ${Math.floor((base64.length * 3) / 4)} bytes, not shown]`

/** Shortens a block of an unknown type, since it may hold a picture, too. */
const shorten = (block: Json.JsonObject): Json.JsonObject =>
  Object.fromEntries(
    Object.entries(block).map(([key, value]) => [
      key,
      typeof value === "string" && isLongBase64(value) ? unshown("binary data", value) : value,
    ]),
  )

/** A limit in characters: longer than keys, digests and words. */
const LONG_BASE64 = 256

const isLongBase64 = (value: string): boolean => value.length > LONG_BASE64 && /^[\w+/-]+=*$/.test(value)

/**
 * Returns whether the texts hold the data already. They may hold it as JSON, as the specification asks, or hold the
 * only value of the data, since some libraries put a result that is no object under a name.
 */
const isSaidIn = (texts: ReadonlyArray<string>, data: Json.Json): boolean => {
  const inner = Json.isObject(data) && Object.keys(data).length === 1 ? Object.values(data) : []
  const canonical = [data, ...inner].map(Json.canonicalText)
  const said = texts.map((text) => Json.canonicalText(toJson(text)))
  const all = `[${said.join(",")}]`
  return (
    canonical.some((one) => said.includes(one) || one === all) ||
    inner.some((one) => typeof one === "string" && texts.includes(one))
  )
}

/** Returns the value of a text, or the text itself if it is no JSON. */
const toJson = (text: string): Json.Json => {
  try {
    // JSON.parse returns nothing but JSON.
    return JSON.parse(text) as Json.Json
  } catch {
    return text
  }
}
