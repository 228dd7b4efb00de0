/** Shows answers side by side, as they are written or with the words that differ. */
import { useEffect, useState } from "preact/hooks"
import { Dialog } from "../Dialog.tsx"
import { formatCost, formatDuration, formatTime, shortModel } from "../format.ts"
import { Clock } from "./Answering.tsx"
import { type Column, chooseColumn, close, comparing, textOf } from "./compare.ts"
import { AnswerText } from "./Markdown.tsx"
import { stop } from "./store.ts"
import type { Part } from "./wordDiff.ts"

export const Compare = () => {
  const [isDiff, setIsDiff] = useState(false)
  const columns = comparing.value
  if (columns === undefined) return null
  const first = columns[0]
  return (
    <Dialog title={`${columns.length} answers`} isWide onClose={close}>
      <div class="row">
        <label>
          <input type="checkbox" checked={isDiff} onChange={({ currentTarget }) => setIsDiff(currentTarget.checked)} />{" "}
          Show what differs from the first
        </label>
      </div>
      <div class="columns">
        {columns.map((column, index) => (
          <section key={column.key} aria-label={`Answer ${index + 1}: ${column.name}`}>
            <header>
              <b title={column.name}>{shortModel(column.name)}</b>
              <Facts column={column} />
              {column.state === "running" ? (
                <button type="button" onClick={() => stop(column.key)}>
                  Stop
                </button>
              ) : (
                <button
                  type="button"
                  class="primary"
                  disabled={column.message === undefined}
                  onClick={() => void continueWith(column)}
                >
                  Continue with this
                </button>
              )}
            </header>
            <section class="scroll" tabindex={0} aria-label={`Text of answer ${index + 1}`}>
              {column.question !== undefined && (
                <p class="question" dir="auto">
                  {column.question}
                </p>
              )}
              {column.error !== undefined && <p class="failure">{column.error}</p>}
              {column.question !== undefined && column.text === "" && <p class="meta">It was not answered.</p>}
              {isDiff && first !== undefined ? (
                <Difference a={index === 0 ? textOf(column) : textOf(first)} b={textOf(column)} />
              ) : (
                <AnswerText text={textOf(column)} />
              )}
            </section>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** Goes on with an answer, in the box for the next message. The dialog gives the focus back first, as it closes. */
const continueWith = async (column: Column) => {
  await chooseColumn(column)
  if (comparing.peek() === undefined) setTimeout(() => document.getElementById("message")?.focus())
}

const Facts = ({ column: { cost, endedAt, isEstimated, startedAt, state } }: { readonly column: Column }) => {
  if (state === "running")
    return (
      <span class="meta">
        <span class="pulse" aria-hidden="true" /> {startedAt !== undefined && <Clock since={startedAt} />}
      </span>
    )
  const facts = [
    state === "done" ? "" : state,
    startedAt === undefined || endedAt === undefined ? "" : formatDuration(endedAt - startedAt),
    startedAt === undefined && endedAt !== undefined ? formatTime(endedAt, Date.now()) : "",
    cost === undefined ? "" : `${isEstimated ? "~" : ""}${formatCost(cost)}`,
  ]
  return <span class="meta">{facts.filter(Boolean).join(" · ")}</span>
}

const Difference = ({ a, b }: { readonly a: string; readonly b: string }) => {
  const [parts, setParts] = useState<ReadonlyArray<Part>>([{ text: b, is: "same" }])
  useEffect(() => {
    let isGone = false
    void import("./wordDiff.ts").then(({ diffWords }) => !isGone && setParts(diffWords(a, b)))
    return () => {
      isGone = true
    }
  }, [a, b])
  return (
    <div class="difference">
      {parts.map(({ is, text }, index) =>
        is === "same" ? text : is === "added" ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>,
      )}
    </div>
  )
}
