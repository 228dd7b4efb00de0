/**
 * Joins streamed tool calls in OpenAI's formats. Servers differ in how they mark which call a fragment belongs to.
 * Pure.
 */
import { tryParse } from "../../base/Json.ts"
import { parseArguments } from "./wireJson.ts"

/** A fragment of a call, or a whole one. Missing fields are `undefined`. */
export interface Piece {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  /** JSON received so far. */
  readonly arguments: string
  readonly extra: unknown
}

/** A call as received so far. */
export interface Call extends Omit<Piece, "name"> {
  readonly name: string
}

/** Adds a fragment to the call it belongs to, or starts a new call. */
export const appendPiece = (calls: ReadonlyArray<Call>, piece: Piece): ReadonlyArray<Call> => {
  const at = indexOf(calls, piece)
  const call = calls[at]
  if (call === undefined) return [...calls, { ...piece, name: piece.name ?? "" }]
  if (startsAnother(call, piece)) {
    // Some servers send a complete call once more at the end.
    const isRepeated = piece.id !== undefined && piece.id === call.id && piece.arguments === call.arguments
    return isRepeated ? calls : [...calls, { ...piece, name: piece.name ?? "" }]
  }
  return calls.with(at, {
    ...call,
    id: call.id ?? piece.id,
    name: call.name === "" || isRestOfName(call, piece) ? call.name + (piece.name ?? "") : call.name,
    arguments: joinArguments(call.arguments, piece.arguments),
    extra: call.extra ?? piece.extra,
  })
}

/** Some servers send `{}` first, before the real arguments. */
const joinArguments = (json: string, more: string): string =>
  json === "{}" && more.startsWith("{") ? more : json + more

/**
 * Returns the index of the latest call that the fragment can belong to, or -1. Some servers number no calls, others
 * give all of them the same number.
 */
const indexOf = (calls: ReadonlyArray<Call>, { id, index }: Piece): number => {
  if (id === undefined && index === undefined) return calls.length - 1
  let found = -1
  // This is one loop without callbacks, since the first piece of each of thousands of calls goes through all of them.
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at]
    if (call === undefined) continue
    const isSameIndex = call.index === index
    // Pieces of two calls under one index may alternate.
    if (isSameIndex && call.id === id) return at
    if (found === -1 && (index === undefined ? call.id === id : isSameIndex)) found = at
    if (found !== -1 && id === undefined) return found
  }
  return found
}

/**
 * Returns whether the name goes on in the fragment: the call has an id, the fragment has none, and no arguments came.
 */
const isRestOfName = (call: Call, { id, index, name }: Piece): boolean =>
  call.id !== undefined &&
  id === undefined &&
  index !== undefined &&
  index === call.index &&
  call.arguments === "" &&
  name !== call.name

/** Returns whether the fragment starts another call than this one, whatever its index. */
const startsAnother = (call: Call, piece: Piece): boolean => {
  const { arguments: more, id, name } = piece
  if (name === undefined || call.name === "" || isRestOfName(call, piece)) return false
  if (id !== undefined) return id === call.id ? isWhole(call.arguments) && isWhole(more) : call.id !== undefined
  return name !== call.name || (more !== "" && call.arguments !== "" && parseParameters(call.arguments) !== undefined)
}

/** Returns whether these are all arguments of a call. `{}` may only precede them. */
const isWhole = (json: string): boolean =>
  json !== "{}" && json.trimStart().startsWith("{") && parseParameters(json) !== undefined

/** Returns the arguments of a call as JSON text. Some servers send the object itself. */
export const toJson = (value: unknown): string =>
  value == null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Parses the arguments of a call. Empty text is an empty object. Returns `undefined` if they are not an object. */
export const parseParameters = (json: string): Readonly<Record<string, unknown>> | undefined => {
  const value = json.trim() === "" ? {} : tryParse(json)
  return value === undefined ? undefined : parseArguments(value)
}
