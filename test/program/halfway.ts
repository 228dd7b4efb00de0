/** The answers to a run that a test interrupts halfway: one purpose is recorded, then the model waits for ever. */
import * as FakeServer from "../utils/FakeServer.ts"

export const entry = { path: "src/greet.ts", symbol: "greet", purpose: "Welcomes a visitor." }

const recording: FakeServer.Answer = {
  body: FakeServer.events({
    candidates: [
      {
        content: {
          role: "model",
          parts: [{ functionCall: { name: "create_index_entry", args: { entries: [entry] } } }],
        },
        finishReason: "STOP",
      },
    ],
  }),
}

const silence: FakeServer.Answer = { body: "", ending: "hang" }

/** `waits` is called at each request after the first. */
export const serve = (waits: () => void) =>
  FakeServer.serve((_, index) => {
    if (index > 0) waits()
    return index === 0 ? recording : silence
  })
