/**
 * A drawing as SVG for a page of HTML. Its colours are the variables `--wiki-line`, `--wiki-text` and `--wiki-box` of
 * the page, so that they follow its light or dark theme. It has no styles and no scripts,
 * which a strict policy forbids.
 */
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Drawing, DrawnBox } from "./Drawing.ts"

/** `id` must be unique on the page; `linkOf` returns the address of a page of the wiki. */
export const toSvg = (
  { boxes, height, lines, texts, width }: Drawing,
  { id, label, linkOf }: { readonly id: string; readonly label: string; readonly linkOf: (page: string) => string },
): string => {
  const head = `${id}-head`
  const line = 'stroke="var(--wiki-line, currentColor)" fill="none"'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeXml(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="inherit" font-size="12">`,
    `<defs><marker id="${escapeXml(head)}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 8,4 0,8z" fill="var(--wiki-line, currentColor)"/></marker></defs>`,
    ...lines.map(
      ({ kind, path, title, width }) =>
        `<path d="${path}" ${line} stroke-width="${round(width)}"${looks[kind]}${kind === "lane" ? "" : ` marker-end="url(#${escapeXml(head)})"`}>${title === undefined ? "" : `<title>${escapeXml(title)}</title>`}</path>`,
    ),
    ...texts.map(
      ({ text, x, y }) => `<text x="${x}" y="${y}" fill="var(--wiki-text, currentColor)">${escapeXml(text)}</text>`,
    ),
    ...boxes.map((box) =>
      box.page === undefined ? boxText(box) : `<a href="${escapeXml(linkOf(box.page))}">${boxText(box)}</a>`,
    ),
    "</svg>",
  ].join("\n")
}

const looks: Readonly<Record<Drawing["lines"][number]["kind"], string>> = {
  arrow: "",
  indirect: ' opacity="0.35"',
  dashed: ' stroke-dasharray="6 4"',
  lane: ' stroke-dasharray="3 4"',
}

const boxText = ({ height, isHub, isMain, label, text, width, x, y }: DrawnBox): string =>
  `<g><title>${escapeXml(label)}</title><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="var(--wiki-box, Canvas)" stroke="var(--wiki-line, currentColor)" stroke-width="${isMain ? 2.5 : 1}"${isHub ? ' stroke-dasharray="4 3"' : ""}/><text x="${x + 8}" y="${y + 19}" fill="var(--wiki-text, currentColor)">${escapeXml(text)}</text></g>`

const round = (value: number): number => Math.round(value * 100) / 100

const escapeXml = (text: string): string =>
  sanitizeLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
