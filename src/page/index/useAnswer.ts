import { useEffect, useState } from "preact/hooks"
import { request } from "../Client.ts"
import { failed, version } from "./Project.ts"

interface Answered<A> {
  readonly path: string
  readonly body: A
}

/** What a request returns, read again with each change of the index; of the path before until the new one is there. */
export const useAnswer = <A>(path: string): A | undefined => {
  const [answer, setAnswer] = useState<Answered<A> | undefined>(undefined)
  const { value: now } = version
  useEffect(() => {
    let isWanted = true
    request<A>("GET", path).then(
      (body) => {
        if (isWanted) setAnswer({ path, body })
      },
      (error: unknown) => {
        if (isWanted) failed(error)
      },
    )
    return () => {
      isWanted = false
    }
  }, [path, now])
  return answer?.body
}
