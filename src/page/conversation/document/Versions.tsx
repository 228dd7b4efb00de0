/** Shows the texts that the document had, each with its changes. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Dialog } from "../../Dialog.tsx"
import { formatTime } from "../../format.ts"
import { attemptRead } from "../store.ts"
import { readVersions, type Version } from "./history.ts"

interface Props {
  readonly nonce: string
  readonly now: () => string
  readonly restore: (text: string) => void
  readonly onClose: () => void
}

export const Versions = ({ nonce, now, onClose, restore }: Props) => {
  const [versions, setVersions] = useState<ReadonlyArray<Version>>()
  const [at, setAt] = useState(0)
  /** False compares with the version before it, true with the current text. */
  const [isToNow, setIsToNow] = useState(false)
  const place = useRef<HTMLElement>(null)
  useEffect(() => void attemptRead(async () => setVersions(await readVersions())), [])
  const version = versions?.[at]
  const other = isToNow ? now() : (versions?.[at + 1]?.text ?? "")
  useEffect(() => {
    if (version === undefined) return
    let remove: (() => void) | undefined
    let isGone = false
    void import("./difference.ts").then(({ showDifference }) => {
      if (isGone || place.current === null) return
      const [a, b] = isToNow ? [version.text, other] : [other, version.text]
      remove = showDifference(place.current, a, b, nonce)
    })
    return () => {
      isGone = true
      remove?.()
    }
  }, [version, isToNow, other, nonce])
  return (
    <Dialog title="Versions of the document" isWide onClose={onClose}>
      {versions?.length === 0 && (
        <p class="empty">
          There are none yet: a version is kept with each message that the document has changed before.
        </p>
      )}
      {version !== undefined && (
        <>
          <div class="row">
            <select
              aria-label="Version"
              value={at}
              onChange={({ currentTarget }) => setAt(currentTarget.selectedIndex)}
            >
              {versions?.map(({ at: time, by, message }, index) => (
                <option key={message} value={index}>
                  {versions.length - index}. by {by === "user" ? "you" : "the model"}, {formatTime(time, Date.now())}
                </option>
              ))}
            </select>
            <label>
              <input
                type="checkbox"
                checked={isToNow}
                onChange={({ currentTarget }) => setIsToNow(currentTarget.checked)}
              />{" "}
              Compare with the current text
            </label>
            <button
              type="button"
              onClick={() => {
                restore(version.text)
                onClose()
              }}
            >
              Restore this version
            </button>
          </div>
          <section class="scroll" ref={place} tabindex={0} aria-label="What changed" />
        </>
      )}
    </Dialog>
  )
}
