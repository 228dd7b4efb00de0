/** Shows the tools that a model has called, folded: name and arguments in a line, the result below. */
import type { Conversations } from "../Client.ts"

interface Props {
  readonly calls: ReadonlyArray<Conversations.Call>
  readonly results: ReadonlyArray<Conversations.Result>
}

export const Tools = ({ calls, results }: Props) => (
  <div class="tools">
    {calls.map((call) => {
      const result = results.find(({ call: of }) => of === call.id)
      return (
        <details key={call.id} class={result?.failed ? "fold failed" : "fold"}>
          <summary>
            <b>{call.tool}</b> <span class="meta">{summarize(call.arguments)}</span>
            {result?.failed && <span class="failure"> failed</span>}
          </summary>
          <p class="fold-part">Arguments</p>
          <pre tabindex={0}>{indent(call.arguments)}</pre>
          <p class="fold-part">Result</p>
          {result === undefined ? <p class="meta">none yet</p> : <pre tabindex={0}>{result.text}</pre>}
        </details>
      )
    })}
  </div>
)

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Returns the values of the arguments in one line. */
const summarize = (json: string): string => {
  const value = parse(json)
  if (typeof value !== "object" || value === null) return json.slice(0, 100)
  return Object.values(value)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    .join(", ")
    .replace(/\s+/g, " ")
    .slice(0, 100)
}

const indent = (json: string): string => {
  const value = parse(json)
  return value === undefined ? json : JSON.stringify(value, null, 2)
}
