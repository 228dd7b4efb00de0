/**
 * An SDK's reply as an iterable that aborts its request when it is let go. Without it `return()` queues behind the
 * pending `next()`, and Ctrl-C waits for the next chunk.
 */

/** `open` is called by the first `next()`, and has to pass the signal on to the request. */
export const abortable = <A>(open: (signal: AbortSignal) => Promise<AsyncIterable<A>>): AsyncIterable<A> => ({
  [Symbol.asyncIterator]() {
    const controller = new AbortController()
    let iterator: Promise<AsyncIterator<A>> | undefined
    return {
      next: async () => {
        iterator ??= open(controller.signal).then((chunks) => chunks[Symbol.asyncIterator]())
        return (await iterator).next()
      },
      return: async () => {
        controller.abort()
        return { done: true, value: undefined }
      },
    }
  },
})
