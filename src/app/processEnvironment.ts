/**
 * The environment of this process as it is now, for programs that inherit it, and for secrets that are redacted. Settings
 * are read by `Config`, which cannot return all variables.
 */
import { env } from "node:process"
import type { Environment } from "../process/Environment.ts"

export const processEnvironment = (): Environment =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
