/** The tools of a server as tools of vibe: their names, what they cost, and their results. Pure. */
import type { CallToolResult } from "@modelcontextprotocol/client"
import { plural } from "../../message/Plural.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolCost from "../../tool/ToolCost.ts"
import * as ToolResult from "../../tool/ToolResult.ts"

/** Gemini and OpenAI take no longer names. */
const MAX_NAME_CHARS = 64

/**
 * `{server}_{tool}` in the form that every provider takes: letters, digits, underscores and hyphens, the first one a letter
 * or an underscore.
 */
export const toolName = (server: string, tool: string): string =>
  `${server}_${tool}`
    .replaceAll(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, MAX_NAME_CHARS)

/** What is said of a server when its tools are first needed. */
export const costNote = (server: string, tools: ReadonlyArray<Tool>): string =>
  tools.length === 0
    ? `tool server ${server}: no tools`
    : `tool server ${server}: ${plural(tools.length, "tool")}, ${ToolCost.describe(tools)} in each request`

/**
 * The text of a result. What is neither text nor a link is named with its size, since models read text here. `redact`
 * removes secrets.
 */
export const toResult = (
  { content, isError, structuredContent }: CallToolResult,
  redact: (text: string) => string,
): ToolResult.ToolResult => {
  const texts = content.map(textOf)
  // A server may give the data alone.
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  // They are texts by their type: one NUL makes none of them binary.
  const text = redact(texts.join("\n").replaceAll("\0", ""))
  return isError === true ? ToolResult.error(text) : ToolResult.text(text)
}

const textOf = (block: CallToolResult["content"][number]): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : unshown(block.resource.mimeType ?? "binary data", block.resource.blob, ` of ${block.resource.uri}`)
    case "resource_link":
      return `[${block.name}: ${block.uri}]`
    default:
      return unshown(block.mimeType, block.data)
  }
}

const unshown = (type: string, base64: string, place = ""): string =>
  `[${type}${place}, ${Math.floor((base64.length * 3) / 4)} bytes, not shown]`
