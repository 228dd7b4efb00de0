/**
 * Shows a run that explains the symbols without a purpose: the user chooses a model, sees an estimate, confirms it,
 * watches the run and can stop it.
 */
import { useEffect, useState } from "preact/hooks"
import { describeError, type Index, request } from "../Client.ts"
import { Dialog } from "../Dialog.tsx"
import { formatCost, formatCount, formatDuration, formatPlural } from "../format.ts"
import { linkTo, readStatus, said, showError } from "./Project.ts"

interface Model {
  readonly id: string
  readonly usable: boolean
}

export const Begin = ({ onClose }: { readonly onClose: () => void }) => {
  const [models, setModels] = useState<ReadonlyArray<Model>>([])
  const [model, setModel] = useState("")
  const [areRead, setAreRead] = useState(false)
  const [all, setAll] = useState(false)
  const [estimate, setEstimate] = useState<Index.Estimate | undefined>(undefined)
  const [problem, setProblem] = useState("")
  useEffect(() => {
    request<ReadonlyArray<Model>>("GET", "/models").then(
      (found) => {
        const usable = found.filter((each) => each.usable)
        setModels(usable)
        setAreRead(true)
        setModel((chosen) => chosen || (usable[0]?.id ?? ""))
      },
      (error: unknown) => setProblem(describeError(error)),
    )
  }, [])
  useEffect(() => {
    setEstimate(undefined)
    setProblem("")
    if (model === "") return
    let isWanted = true
    const timer = setTimeout(() => {
      request<Index.Estimate>("POST", "/index/estimate", { model }).then(
        (found) => {
          if (isWanted) setEstimate(found)
        },
        (error: unknown) => {
          if (isWanted) setProblem(describeError(error))
        },
      )
    }, 300)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [model])
  const work = all ? estimate?.all : estimate?.one
  const start = async () => {
    try {
      await request<Index.Run>("POST", "/index/run", { model, all })
      onClose()
      await readStatus()
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  return (
    <Dialog title="Explain the open symbols" onClose={onClose}>
      <label class="field">
        Model
        <input
          type="text"
          list="index-models"
          value={model}
          onInput={({ currentTarget }) => setModel(currentTarget.value)}
        />
      </label>
      <datalist id="index-models">
        {models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
        <option value="offline/guide" />
      </datalist>
      <label>
        <input type="checkbox" checked={all} onChange={({ currentTarget }) => setAll(currentTarget.checked)} /> Go on
        until all are explained
      </label>
      <p role="status">
        {work === undefined
          ? problem !== ""
            ? ""
            : model !== ""
              ? "Estimates…"
              : areRead
                ? "No model can answer yet: no key is set, and no Ollama answers. A new conversation says how to get one."
                : "…"
          : work.symbols === 0
            ? "Nothing is left to explain."
            : `About ${formatPlural(work.symbols, "symbol")} in ${formatPlural(work.requests, "request")}: ${formatCount(work.tokens.input)} tokens in, ${formatCount(work.tokens.output)} out, ${work.cost === undefined ? "price unknown" : `about ${formatCost(work.cost)}`}.`}
      </p>
      <p class="failure">{problem}</p>
      <footer class="row">
        <button type="button" class="primary" disabled={work === undefined} onClick={() => void start()}>
          Start
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}

const words: Readonly<Record<Index.Run["state"], string>> = {
  running: "Explains",
  done: "Done",
  stopped: "Stopped",
  failed: "Failed",
}

interface WatchedProps {
  readonly run: Index.Run
  /** True if the run belongs to another process, and so cannot be stopped here. */
  readonly isElsewhere?: boolean
}

export const Watched = ({ isElsewhere = false, run }: WatchedProps) => {
  const isRunning = run.state === "running"
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  const stop = () =>
    request<{ message: string }>("DELETE", "/index/run").then(({ message }) => {
      said.value = message
      void readStatus()
    }, showError)
  const [done, total] = run.planned > 0 ? [run.written, run.planned] : [run.requests, run.expected]
  return (
    <section class="run" aria-label="Exploration">
      <div class="row">
        <strong>
          {words[run.state]} with {run.model}
        </strong>
        {isRunning && total > 0 && <progress aria-label="Progress" value={Math.min(done, total)} max={total} />}
        <span class="meta">
          {formatPlural(run.written, "purpose")}
          {run.planned > 0 && ` of ${formatPlural(run.planned, "symbol")}`} · {formatPlural(run.requests, "request")} ·{" "}
          {formatCount(run.tokens.input)} tokens in, {formatCount(run.tokens.output)} out ·{" "}
          {run.cost === undefined ? "price unknown" : formatCost(run.cost)} ·{" "}
          {formatDuration((run.endedAt ?? now) - run.startedAt)}
        </span>
        {isRunning && !isElsewhere && (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        )}
      </div>
      <p class={run.state === "failed" ? "failure" : "meta"} role="status">
        {run.activity}
      </p>
      {run.found.length > 0 && (
        <details open={isRunning}>
          <summary>Found last</summary>
          <ul class="symbols">
            {run.found.slice(0, isRunning ? 6 : 30).map(({ line, name, path, text }) => (
              <li key={`${path}:${line}:${name}`}>
                <a href={linkTo(path, line)}>
                  <code>{name}</code>
                </a>{" "}
                <span class="what">{text}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
