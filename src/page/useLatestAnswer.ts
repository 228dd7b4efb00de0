import { useEffect, useState } from "preact/hooks"
import { request } from "./Client.ts"

/** Pauses of typing, and of going through lines, in milliseconds: nothing is asked for what passes by. */
export const PAUSE = 120

interface Options {
  readonly onError: (error: unknown) => void
  /** Milliseconds before the request is sent; at once by default. */
  readonly wait?: number
  /** Asks again where it changes. */
  readonly again?: unknown
}

/**
 * What the latest request returns. The answer to the one before stays until there is a new one; undefined before the first,
 * and without a path. What an earlier request returns too late is dropped.
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
