/** The standard input of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Stdin } from "../Stdin.ts"

export const layer: Layer.Layer<Stdin> = Layer.succeed(Stdin, {
  text: Effect.suspend(() => (process.stdin.isTTY ? Effect.succeedNone : Effect.map(read, Option.some))),
})

/** What cannot be read has been said to its end. */
const read = Effect.async<string>((resume) => {
  let text = ""
  const end = () => resume(Effect.succeed(text))
  process.stdin
    .setEncoding("utf8")
    .on("data", (part) => {
      text += part
    })
    .on("end", end)
    .on("error", end)
  return Effect.sync(() => void process.stdin.destroy())
})
