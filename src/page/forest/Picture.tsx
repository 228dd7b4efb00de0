/** Draws the branches of a conversation as lines, with what each begins with, and marks where the user is. */
import { useEffect, useState } from "preact/hooks"
import { type Forest, query, request } from "../Client.ts"
import { formatPlural, shortModel } from "../format.ts"
import { type Branch, type Lane, type Requests, read, toLanes } from "./Branches.ts"
import * as Browser from "./Browser.ts"
import { plainWords } from "./names.ts"

const rowsOf = async (path: string): Promise<ReadonlyArray<Forest.Row>> =>
  (await request<{ readonly rows: ReadonlyArray<Forest.Row> }>("GET", path)).rows

const requests: Requests = {
  run: (of) => rowsOf(`/forest/run${query({ of })}`),
  children: (of) => rowsOf(`/forest/children${query({ of, offset: 0 })}`),
}

interface Props {
  /** The row of the conversation. */
  readonly conversation: Forest.Row
  /** The message where the user is. */
  readonly active: string
}

const ROW = 40
const LANE = 18
const LEFT = 12
const MIDDLE = ROW / 2

export const Picture = ({ active, conversation }: Props) => {
  const [root, setRoot] = useState<Branch | undefined>(undefined)
  const { at, children, id } = conversation
  useEffect(() => {
    let isWanted = true
    setRoot((before) => (before?.first.id === id ? before : undefined))
    read(conversation, requests).then(
      (found) => {
        if (isWanted) setRoot(found)
      },
      // A conversation that is removed meanwhile has no picture. The tree says what has happened.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [id, at, children])
  if (root === undefined || root.first.id !== id || (root.parts.length === 0 && root.more === 0)) return null
  const lanes = toLanes(root, active)
  const width = LEFT + LANE * (1 + Math.max(...lanes.map(({ lane }) => lane)))
  const x = (lane: number) => LEFT + lane * LANE
  const y = (row: number) => row * ROW + MIDDLE
  // The path to the active message is drawn over the rest.
  const sorted = lanes.toSorted((one, other) => Number(one.isOnPath) - Number(other.isOnPath))
  return (
    <section class="branches-picture" aria-label="Branches of the conversation">
      <svg width={width} height={lanes.length * ROW} aria-hidden="true">
        {sorted.map((lane) => (
          <path key={lane.row} class={lane.isOnPath ? "edge on-path" : "edge"} d={edgeOf(lane, lanes, x, y)} />
        ))}
        {lanes.map(({ isHere, isOnPath, lane, row }) => (
          <circle
            key={row}
            class={isHere ? "dot here" : isOnPath ? "dot on-path" : "dot"}
            cx={x(lane)}
            cy={y(row)}
            r={isHere ? 6 : 4.5}
          />
        ))}
      </svg>
      <ol>
        {lanes.map(({ branch, isHere, isOnPath, lane, row }) => (
          <li key={row} style={{ height: `${ROW}px`, paddingLeft: `${x(lane) + 14}px` }}>
            <button
              type="button"
              class={isOnPath ? "quiet on-path" : "quiet"}
              aria-current={isHere ? "true" : undefined}
              onClick={() => void Browser.reveal(branch.first.id)}
            >
              <span class="words">{plainWords(branch.first.text)}</span>
              <span class="meta">{describe(branch, isHere)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Draws a line from the branch that it parts from down, and over to its own lane. */
const edgeOf = (
  { from, lane, row }: Lane,
  lanes: ReadonlyArray<Lane>,
  x: (lane: number) => number,
  y: (row: number) => number,
): string => {
  const above = from === undefined ? undefined : lanes[from]
  if (above === undefined) return ""
  const [left, right, end] = [x(above.lane), x(lane), y(row)]
  return `M${left},${y(above.row)}V${end - 12}Q${left},${end} ${right},${end}`
}

const describe = ({ first, ids, isCut, last, more }: Branch, isHere: boolean): string => {
  // The first row is the conversation itself, which is no message.
  const messages = first.kind === "conversation" ? ids.length - 1 : ids.length
  return [
    ...(isHere ? ["you are here"] : []),
    ...(first.model === undefined ? [] : [shortModel(first.model)]),
    `${formatPlural(messages, "message")}${isCut ? " and more" : ""}`,
    ...(last.children > 1 ? [`parts into ${last.children}`] : []),
    ...(more > 0 ? [`${more} not shown`] : []),
    ...first.bookmarks.map((title) => `★ ${title}`),
  ].join(" · ")
}
