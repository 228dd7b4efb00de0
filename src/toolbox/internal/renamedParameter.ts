import { isObject } from "../../base/Json.ts"
import type * as Tool from "../../tool/Tool.ts"

/**
 * Lets a tool take a parameter under another name too, since models confuse the parameters of several tools. The
 * declared name has precedence.
 */
export const withOtherName = (tool: Tool.Tool, name: string, other: string): Tool.Tool => ({
  ...tool,
  execute: (input, context) => tool.execute(rename(input, name, other), context),
})

const rename = (input: unknown, name: string, other: string): unknown => {
  if (!isObject(input) || !Object.hasOwn(input, other)) return input
  const { [other]: value, ...rest } = input
  return { ...rest, [name]: rest[name] ?? value }
}
