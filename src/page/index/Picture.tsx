/**
 * Shows callers and callees as a picture: two layers on each side of one symbol. Choosing another symbol puts that one
 * in the middle.
 */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import type { Index } from "../Client.ts"
import { sharedNamespace, shortenName, splitName } from "../format.ts"
import { BOX, layout, next, type Placed } from "./layout.ts"
import { type At, linkTo, symbolQuery } from "./Project.ts"
import { useAnswer } from "./useAnswer.ts"

/** The most characters of a name that fit into a box, and of what it is in. */
const MAX_NAME = 22
const MAX_PLACE = 26

export const Picture = ({ at }: { readonly at: At }) => {
  const graph = useAnswer<Index.Graph>(`/index/graph${symbolQuery(at)}`).body
  const drawn = useMemo(() => (graph === undefined ? undefined : layout(graph)), [graph])
  const box = useRef<HTMLElement>(null)
  // Starts in the middle if the picture does not fit.
  useLayoutEffect(() => {
    const center = drawn?.placed.find(({ node }) => node.layer === 0)
    if (drawn === undefined || center === undefined || box.current === null) return
    // The picture may be drawn smaller than it is.
    const scale = (box.current.querySelector("svg")?.clientWidth ?? drawn.width) / drawn.width
    box.current.scrollLeft = (center.x + BOX.width / 2) * scale - box.current.clientWidth / 2
  }, [drawn])
  if (drawn === undefined) return null
  const shared = sharedNamespace(drawn.placed.map(({ node }) => node.name))
  if (drawn.placed.length <= 1) return <p class="empty">Nothing in the index uses it, and it uses nothing.</p>
  const keyDown = (event: KeyboardEvent, id: string) => {
    const goal = next(drawn, id, event.key)
    if (goal === undefined) return
    event.preventDefault()
    box.current?.querySelector<SVGElement>(`[data-id="${CSS.escape(goal)}"]`)?.focus()
  }
  return (
    <section ref={box} class="picture" aria-label="Callers on the left, what is called on the right" tabindex={0}>
      <svg width={drawn.width} height={drawn.height} viewBox={`0 0 ${drawn.width} ${drawn.height}`} role="none">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="head" d="M0,0 8,4 0,8z" />
          </marker>
        </defs>
        {drawn.edges.map(({ from, to }) => (
          <path
            key={`${from.node.id} ${to.node.id}`}
            class={`edge${from.node.layer === 0 || to.node.layer === 0 ? " near" : ""}`}
            d={curve(from, to)}
            marker-end="url(#arrow)"
          />
        ))}
        {drawn.placed.map(({ node, x, y }) => (
          <a
            key={node.id}
            href={linkTo(node.path, node.line)}
            data-id={node.id}
            class={node.layer === 0 ? "center" : ""}
            aria-label={`${node.name}, ${node.kind} in ${node.path}${sides(node.layer)}`}
            aria-current={node.layer === 0 ? "true" : undefined}
            onKeyDown={(event) => keyDown(event, node.id)}
          >
            <title>{`${node.name}\n${node.path}:${node.line}${node.purpose === undefined ? "" : `\n\n${node.purpose}`}`}</title>
            <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={7} />
          </a>
        ))}
        {/* Beside the links, whose names say it already: a name within that is cut would contradict them. */}
        {drawn.placed.map(({ node, x, y }) => (
          <Label key={node.id} name={splitName(node.name).last} isCenter={node.layer === 0} x={x + 10} y={y + 18} />
        ))}
        {drawn.placed.map(({ node, x, y }) => (
          <text key={node.id} class={node.layer === 0 ? "in center" : "in"} x={x + 10} y={y + 33}>
            {shortenStart(placeOf(node, shared), MAX_PLACE)}
          </text>
        ))}
        {drawn.more.map(({ count, layer, x, y }) => (
          <text key={layer} class="more" x={x + 10} y={y + 18}>
            {count} more
          </text>
        ))}
      </svg>
    </section>
  )
}

interface LabelProps {
  readonly name: string
  readonly isCenter: boolean
  readonly x: number
  readonly y: number
}

/**
 * Shows a name, a long one in smaller letters. What is longer still loses its middle, since names differ at their ends.
 */
const Label = ({ isCenter, name, x, y }: LabelProps) => (
  <text class={`name${name.length > MAX_NAME ? " small" : ""}${isCenter ? " center" : ""}`} x={x} y={y}>
    {shortenName(name, MAX_PLACE)}
  </text>
)

/** Returns what a symbol is in: its class or namespace, without the one that all have, or else its file. */
const placeOf = ({ name, path }: Index.GraphNode, shared: string): string => {
  const { container } = splitName(name.startsWith(shared) ? name.slice(shared.length) : name)
  return container === "" ? path : container.replace(/(?:::|[.\\])$/, "")
}

/** Shortens a place to its end, which is what differs. */
const shortenStart = (text: string, most: number): string => (text.length <= most ? text : `…${text.slice(1 - most)}`)

const sides = (layer: number): string =>
  layer === 0 ? ", in the middle" : layer < 0 ? `, ${-layer} calls before` : `, ${layer} calls behind`

const curve = (from: Placed, to: Placed): string => {
  const isBack = from.x >= to.x
  const x1 = isBack ? from.x : from.x + BOX.width
  const x2 = isBack ? to.x + BOX.width : to.x
  const [y1, y2] = [from.y + BOX.height / 2, to.y + BOX.height / 2]
  const middle = (x1 + x2) / 2
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2 + (isBack ? 2 : -2)},${y2}`
}
