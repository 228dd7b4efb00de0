/** The two streams of a command: stdout for the answer, stderr for everything else. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Style from "../../base/Style.ts"
import { wrap } from "../../base/wrap.ts"

export class Screen extends Context.Tag("vibe/cli/Screen")<Screen, Service>() {}

export interface Service {
  readonly out: Stream
  readonly err: Stream
}

export interface Stream {
  /** Writes the text as it is. Callers have made it safe to print (`base/Sanitize`). */
  readonly write: (text: string) => Effect.Effect<void>
  /** True if a person reads it. */
  readonly isTerminal: boolean
  /** True if lines can be redrawn: it is a terminal that moves its cursor. */
  readonly canRedraw: boolean
  /** The width of the terminal; 80 if there is none. */
  readonly columns: Effect.Effect<number>
  /** Has colours if the stream shows them. */
  readonly style: Style.Style
}

export const line = (stream: Stream, text: string): Effect.Effect<void> => stream.write(`${text}\n`)

/** Prints a line for people, wrapped between words if the stream is a terminal. */
export const notice = (stream: Stream, text: string): Effect.Effect<void> =>
  stream.isTerminal
    ? Effect.flatMap(stream.columns, (columns) => line(stream, wrap(text, columns).join("\n")))
    : line(stream, text)

/** The same streams with the colours that `--color` asks for. */
export const withColor = ({ err, out }: Service, choice: Style.ColorChoice | undefined): Service => {
  if (choice === undefined || choice === "auto") return { err, out }
  const style = choice === "always" ? Style.coloured : Style.plain
  return { err: { ...err, style }, out: { ...out, style } }
}

export interface Written {
  readonly to: "out" | "err"
  readonly text: string
}

/** A screen that keeps everything that is written, in order. */
export const layerMemory = (
  written: Ref.Ref<ReadonlyArray<Written>>,
  {
    columns = 80,
    isTerminal = false,
  }: { readonly isTerminal?: boolean | undefined; readonly columns?: number | undefined } = {},
): Layer.Layer<Screen> => {
  const stream = (to: Written["to"]): Stream => ({
    write: (text) => Ref.update(written, (written) => [...written, { to, text }]),
    isTerminal,
    canRedraw: isTerminal,
    columns: Effect.succeed(columns),
    style: Style.plain,
  })
  return Layer.succeed(Screen, { out: stream("out"), err: stream("err") })
}

/** The wrapLines of a map (`index/ProjectMap`), wrapped to `columns`. */
export const wrapLines = (map: string, columns: number): ReadonlyArray<string> =>
  map.split("\n").flatMap((line) => (line === "" ? [""] : wrap(line, columns)))

/** The same as one text: wrapped on a terminal, and as it is in a pipe. */
export const wrapFor = (stream: Stream, map: string): Effect.Effect<string> =>
  stream.isTerminal ? Effect.map(stream.columns, (columns) => wrapLines(map, columns).join("\n")) : Effect.succeed(map)
