/** Makes messages of lines. Several between `"""` are one; those of one that is not ended are one at the end of all. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { Input } from "../../session/View.ts"
import type { ReaderEvent } from "./Reader.ts"

export const readMessages = Effect.fnUntraced(function* (
  lines: Queue.Dequeue<ReaderEvent>,
  inputs: Queue.Enqueue<Input>,
  /** Of a line that says nothing. */
  blank: Effect.Effect<void> = Effect.void,
) {
  let block: Array<string> | undefined
  const say = (text: string) => Queue.offer(inputs, Input.Sent({ text }))
  for (;;) {
    const heard = yield* Queue.take(lines)
    if (heard._tag === "Interrupted") yield* Queue.offer(inputs, Input.ExitRequested())
    else if (heard._tag === "Ended") {
      if (block !== undefined && block.length > 0) yield* say(block.join("\n"))
      return yield* Queue.offer(inputs, Input.Closed())
    } else if (heard.text.trim() === FENCE) {
      if (block !== undefined) yield* say(block.join("\n"))
      block = block === undefined ? [] : undefined
    } else if (block !== undefined) block.push(heard.text)
    else if (heard.text.trim() === "") yield* blank
    else yield* say(heard.text)
  }
})

const FENCE = '"""'
