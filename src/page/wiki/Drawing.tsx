/** Draws a picture of the wiki: boxes that lead to pages, and lines between them. The server has placed everything. */
import type { Wiki } from "../Client.ts"
import { linkToPage } from "./links.ts"

export const Drawing = ({
  drawing: { boxes, height, lines, texts, width },
  label,
}: {
  readonly drawing: Wiki.Drawing
  readonly label: string
}) => (
  <section class="wiki-picture" aria-label={label} tabindex={0}>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="none">
      <defs>
        <marker
          id="wiki-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path class="head" d="M0,0 8,4 0,8z" />
        </marker>
      </defs>
      {lines.map(({ kind, path, title, width }, at) => (
        <path
          key={at}
          class={kind === "arrow" ? "line" : `line ${kind}`}
          d={path}
          stroke-width={width}
          marker-end={kind === "lane" ? undefined : "url(#wiki-arrow)"}
        >
          {title !== undefined && <title>{title}</title>}
        </path>
      ))}
      {texts.map(({ text, x, y }, at) => (
        <text key={at} x={x} y={y}>
          {text}
        </text>
      ))}
      {boxes.map((box, at) =>
        box.page === undefined ? (
          <Box key={at} box={box} />
        ) : (
          <a key={at} href={linkToPage(box.page)} aria-label={box.label}>
            <Box box={box} />
          </a>
        ),
      )}
      {/* Beside the links: the names of these are whole, and a text within that is cut would contradict them. */}
      {boxes.map(({ isMain, text, x, y }, at) => (
        <text key={at} class={isMain ? "of-box main" : "of-box"} x={x + 8} y={y + 19}>
          {text}
        </text>
      ))}
    </svg>
  </section>
)

const Box = ({
  box: { height, isHub, isMain, label, width, x, y },
}: {
  readonly box: Wiki.Drawing["boxes"][number]
}) => (
  <g class={isMain ? "box main" : isHub ? "box hub" : "box"}>
    <title>{label}</title>
    <rect x={x} y={y} width={width} height={height} rx={5} />
  </g>
)
