/** Shows an answer in progress, or one that has failed. */
import { useEffect, useState } from "preact/hooks"
import { isConnected } from "../Client.ts"
import { formatSeconds, shortModel } from "../format.ts"
import { compareVersions, openBatch, openRunning } from "./compare.ts"
import { AnswerText } from "./Markdown.tsx"
import { isAt } from "./reduce.ts"
import { type Answer, answers, children, leaf, messages, move, stop, unanswered } from "./store.ts"

/** Shows the answers in progress: those at the end of the shown path, and those elsewhere in the tree. */
export const Answers = () => {
  const end = leaf.value
  const all = answers.value ?? []
  const here = all.filter((answer) => isAt(answer, end))
  const running = here.filter(({ state }) => state === "running")
  const elsewhere = all.filter((answer) => !here.includes(answer) && answer.state === "running")
  return (
    <>
      {running.length > 1 && (
        <p class="elsewhere">
          <span>{running.length} models answer.</span>
          <button type="button" onClick={() => openRunning(here)}>
            Show in full
          </button>
        </p>
      )}
      <div class={running.length > 1 ? "answering several" : "answering"}>
        {here.map((answer) => (
          <Answering key={answer.id} answer={answer} isOneOfSeveral={running.length > 1} />
        ))}
      </div>
      {end !== undefined && end === unanswered.value && here.length + elsewhere.length === 0 && <Unanswered />}
      <Choice isAnswering={running.length > 0} />
      {elsewhere.map(({ after, id, message, model }) => (
        <p key={id} class="elsewhere">
          <span>{shortModel(model)} answers on another branch.</span>
          <button type="button" class="quiet" onClick={() => move(message ?? after)}>
            Go there
          </button>
          <button type="button" class="quiet" onClick={() => stop(id)}>
            Stop it
          </button>
        </p>
      ))}
    </>
  )
}

const Unanswered = () => {
  const last = messages.value?.findLast(({ kind }) => kind === "user")
  if (last === undefined || children.value?.length !== 0) return null
  return (
    <p class="elsewhere">
      <span>This message was not answered, or its answer was cut off.</span>
      <button type="button" onClick={() => openBatch(last.id, {})}>
        Try again
      </button>
    </p>
  )
}

/** Offers the answers below the last message if none of them was chosen yet. */
const Choice = ({ isAnswering }: { readonly isAnswering: boolean }) => {
  const ids = children.value ?? []
  const last = messages.value?.at(-1)
  const newest = ids.at(-1)
  if (isAnswering || newest === undefined || last?.kind !== "user") return null
  return (
    <p class="elsewhere">
      <span>
        {ids.length === 1 ? "This message has an answer already." : `This message has ${ids.length} answers.`}
      </span>
      <button type="button" onClick={() => move(newest, true)}>
        Show the newest
      </button>
      {ids.length > 1 && (
        <button type="button" onClick={() => compareVersions(ids)}>
          Compare
        </button>
      )}
    </p>
  )
}

/** Shows an answer in progress. One of several can be stopped by itself; Stop below the box stops all. */
const Answering = ({ answer, isOneOfSeveral }: { readonly answer: Answer; readonly isOneOfSeveral: boolean }) => {
  const { activity, after, error, id, model, startedAt, state, text } = answer
  const isRunning = state === "running"
  // The first message of an answer with tools already has the header.
  const continues = messages.value?.at(-1)?.kind === "assistant" || messages.value?.at(-1)?.kind === "tool"
  return (
    <article class="message assistant" aria-busy={isRunning} aria-label={`Answer of ${shortModel(model)}`}>
      {!continues && <Heading model={model} />}
      <AnswerText text={text} />
      {isRunning && (
        <p class="meta progress">
          {isConnected.value ? (
            <>
              <span class="pulse" aria-hidden="true" /> {activity ?? (text === "" ? "waits for the model" : "writes")} ·{" "}
            </>
          ) : (
            "the connection is lost · "
          )}
          <Clock since={startedAt} />
          {isOneOfSeveral && (
            <button type="button" onClick={() => stop(id)}>
              Stop this one
            </button>
          )}
        </p>
      )}
      {state === "failed" && (
        <p class="failure failed-answer" role="alert">
          <span>{error ?? "The answer failed."}</span>
          <button type="button" onClick={() => openBatch(after, { models: [model] })}>
            Try again
          </button>
        </p>
      )}
      {state === "stopped" && <p class="meta">stopped before anything was stored</p>}
    </article>
  )
}

export const Heading = ({ model }: { readonly model: string | undefined }) => (
  <header class="speaker" title={model}>
    {model === undefined ? "Model" : shortModel(model)}
  </header>
)

/** Shows the seconds since a time, which advance while there is a connection. Screen readers do not read it. */
export const Clock = ({ since }: { readonly since: number }) => {
  const [now, setNow] = useState(Date.now())
  const isRunning = isConnected.value
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return <span aria-hidden="true">{formatSeconds((now - since) / 1000)}</span>
}
