import { useEffect, useState } from "preact/hooks"
import { Refused, request } from "../Client.ts"
import { showError, version } from "./Project.ts"

interface Answered<A> {
  /** The path of the request. */
  readonly of?: string
  readonly body?: A
  /** A sentence which says that there is no such thing. */
  readonly missing?: string
  /** True if there was no response yet and a request has failed, which is shown elsewhere. */
  readonly hasFailed?: boolean
}

/**
 * Returns the response to a request, which is sent again with each change of the index. The response for the previous
 * path stays until the new one is there.
 */
export const useAnswer = <A>(path: string): Answered<A> => {
  const [answer, setAnswer] = useState<Answered<A>>({})
  const { value: now } = version
  useEffect(() => {
    let isWanted = true
    request<A>("GET", path).then(
      (body) => {
        if (isWanted) setAnswer({ of: path, body })
      },
      (error: unknown) => {
        if (!isWanted) return
        if (error instanceof Refused && error.status === 404) setAnswer({ of: path, missing: error.message })
        else {
          showError(error)
          setAnswer((before) => (before.body === undefined ? { hasFailed: true } : before))
        }
      },
    )
    return () => {
      isWanted = false
    }
  }, [path, now])
  return answer
}
