/** Cuts what is fetched: a connection joins what a server writes apart, so a server alone cannot. */
import { Effect, Utils } from "effect"

/** Until the scope closes, every body that is fetched arrives in pieces of so many bytes. */
export const cut = (size: () => number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const whole = globalThis.fetch
      globalThis.fetch = async (...request) => {
        const { body, headers, status } = await whole(...request)
        return new Response(body?.pipeThrough(cutting(size)) ?? null, { status, headers })
      }
      return whole
    }),
    (whole) =>
      Effect.sync(() => {
        globalThis.fetch = whole
      }),
  )

/** From 1 to 64, the same each time. */
export const random = (): (() => number) => {
  const generator = new Utils.PCGRandom(20_261_016)
  return () => 1 + generator.integer(64)
}

const cutting = (size: () => number) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      for (let rest = bytes; rest.length > 0; ) {
        const length = size()
        controller.enqueue(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    },
  })
