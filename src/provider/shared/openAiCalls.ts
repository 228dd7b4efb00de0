/** Tool calls as servers that speak chat completions stream them: in pieces, which each of them tells apart otherwise. Pure. */
import { tryParse } from "../../message/Json.ts"
import { argumentsOf } from "./callArguments.ts"

/** A piece of a call, or a whole one. What is missing is `undefined`. */
export interface Piece {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  /** JSON, as far as it has come. */
  readonly arguments: string
  readonly extra: unknown
}

/** A call as far as it has come. */
export interface Call extends Omit<Piece, "name"> {
  readonly name: string
}

/** The calls with a piece more: of one of them, or of a new one. */
export const step = (calls: ReadonlyArray<Call>, piece: Piece): ReadonlyArray<Call> => {
  const at = indexOf(calls, piece)
  const call = calls[at]
  if (call === undefined || begins(call, piece)) return [...calls, { ...piece, name: piece.name ?? "" }]
  return calls.with(at, {
    ...call,
    id: call.id ?? piece.id,
    name: call.name === "" ? (piece.name ?? "") : call.name,
    arguments: joined(call.arguments, piece.arguments),
    extra: call.extra ?? piece.extra,
  })
}

/** Some servers begin with `{}`, whatever the arguments are that come next. */
const joined = (json: string, more: string): string => (json === "{}" && more.startsWith("{") ? more : json + more)

/** The latest call that the piece can be of, or -1. Some servers number none of their calls, some all of them alike. */
const indexOf = (calls: ReadonlyArray<Call>, { id, index }: Piece): number => {
  if (index !== undefined) return calls.findLastIndex((call) => call.index === index)
  return id === undefined ? calls.length - 1 : calls.findLastIndex((call) => call.id === id)
}

/** Whether the piece is of another call than this one, whatever its number says. */
const begins = (call: Call, { arguments: more, id, name }: Piece): boolean =>
  name !== undefined &&
  call.name !== "" &&
  (id === undefined
    ? name !== call.name || (more !== "" && call.arguments !== "" && parametersOf(call.arguments) !== undefined)
    : call.id !== undefined && id !== call.id)

/** A call's arguments as JSON: some servers send the object itself. */
export const jsonOf = (value: unknown): string =>
  value == null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** The object that a call's arguments are; `undefined` where they are none. Nothing at all is an empty one. */
export const parametersOf = (json: string): Readonly<Record<string, unknown>> | undefined => {
  const value = json.trim() === "" ? {} : tryParse(json)
  return value === undefined ? undefined : argumentsOf(value)
}
