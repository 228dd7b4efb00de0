import { useEffect, useState } from "preact/hooks"
import { request } from "./Client.ts"

/**
 * The pause in milliseconds after which typing, or going through lines, sends a request: nothing is requested for a
 * step that is passed by.
 */
export const PAUSE = 120

interface Options {
  readonly onError: (error: unknown) => void
  /** The milliseconds before the request is sent; by default it is sent immediately. */
  readonly wait?: number
  /** Sends the request again when this value changes. */
  readonly again?: unknown
}

/**
 * Returns the response to the latest request. The previous response stays until there is a new one; it is undefined
 * before the first one, and without a path. A response to an earlier request that arrives too late is dropped.
 */
export const useLatestAnswer = <A>(path: string | undefined, { again, onError, wait = 0 }: Options): A | undefined => {
  const [answer, setAnswer] = useState<A | undefined>(undefined)
  useEffect(() => {
    if (path === undefined) return setAnswer(undefined)
    let isWanted = true
    const ask = () =>
      request<A>("GET", path).then(
        (found) => {
          if (isWanted) setAnswer(found)
        },
        (error: unknown) => {
          if (isWanted) onError(error)
        },
      )
    const timer = wait === 0 ? void ask() : setTimeout(ask, wait)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [path, again])
  return answer
}
