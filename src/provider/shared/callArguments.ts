/** The arguments of a tool call, as servers send them. */
import { isObject, tryParse, withinLevels } from "../../message/Json.ts"

/**
 * Missing arguments are an empty object, and some servers send the object as a JSON string. `undefined` for anything
 * else.
 */
export const parseArguments = (args: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (args == null) return {}
  const value = typeof args === "string" ? tryParse(args) : withinLevels(args)
  return isObject(value) ? value : undefined
}
