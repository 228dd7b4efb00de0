/** The arguments of a call, as servers send them. */
import { isObject, tryParse, withinLevels } from "../../message/Json.ts"

/** No arguments are an empty object, and some servers send the object as a string. `undefined` where it is neither. */
export const argumentsOf = (args: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (args == null) return {}
  const value = typeof args === "string" ? tryParse(args) : withinLevels(args)
  return isObject(value) ? value : undefined
}
