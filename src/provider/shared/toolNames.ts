/** Makes tool names that every provider accepts, since tools from other servers may have any name. Pure. */
import { createHash } from "node:crypto"
import type { Tool } from "../../tool/Tool.ts"

/**
 * Returns a valid name unchanged. An invalid one is reduced to its valid characters, truncated and followed by a digest
 * of the whole name, so that the result depends on the name alone and is unique.
 */
export const toWireName = (name: string): string => {
  if (validName.test(name)) return name
  const cleaned = name.replaceAll(/[^\w-]/g, "_").replace(/^(?![A-Za-z_])/, "_")
  return `${cleaned.slice(0, 54)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}

/** Matches names that all providers accept. They have at most 63 characters, since some providers count differently. */
const validName = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/

/**
 * Maps a wire name back to the name of one of `tools`. A model may add parts of its own format to the name: a namespace
 * (`functions.`), special tokens (`<|channel|>`), a number of the call, quotes or blanks. Unknown names are returned
 * unchanged.
 */
export const makeReader = (tools: ReadonlyArray<Pick<Tool, "name">>): ((name: string) => string) => {
  const own = new Map(tools.map(({ name }) => [toWireName(name), name]))
  // A model that has read the name in a description may write it unchanged.
  for (const { name } of tools) if (!own.has(name)) own.set(name, name)
  return (name) =>
    own.get(name) ??
    readings(name)
      .map((reading) => own.get(reading))
      .find((found) => found !== undefined) ??
    name
}

/** Returns the possible names without what surrounds them, the longest first. */
const readings = (name: string): ReadonlyArray<string> => {
  const words = name.slice(0, MAX_WRITTEN_CHARS).split(specialToken).map(trimQuotes)
  return words
    .flatMap((word) => [word, ...(/(?:^|\s)to=(\S+)/.exec(word)?.slice(1) ?? [])])
    .flatMap((word) => [word, word.replace(namespace, "")])
    .flatMap((word) => [word, word.replace(callSuffix, "")])
    .filter((word) => word !== "")
}

/** A limit in characters: longer than a name with all that models write around it. */
const MAX_WRITTEN_CHARS = 300

/** Matches `<|channel|>` of gpt-oss and similar tokens of other formats. */
const specialToken = /<[|｜][^<>]{0,40}[|｜]>|<[|｜]/u

const trimQuotes = (word: string): string => word.replace(/^[\s"'`]+|[\s"'`]+$/g, "")

/** Namespaces that models write before the name of any function. */
const namespace = /^(?:functions?|default_api|default_functions?|tools?|api)(?:::|[.:/])/

/** Matches the number that Kimi adds to calls (`list:0`), and the parentheses of a call that some models write. */
const callSuffix = /(?::\d+|\(\))$/
