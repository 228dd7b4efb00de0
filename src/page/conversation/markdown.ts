/**
 * Renders untrusted Markdown as markup that is safe to show. HTML in it is shown as written: users talk about code
 * here, and lay nothing out. Pictures are not fetched, since that would tell another server that the text was read.
 */
import DOMPurify from "dompurify"
import { marked, Renderer } from "marked"
import { format } from "../Route.ts"
import { findPlace } from "./places.ts"

const escapeHtml = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")

/** The most characters of a cell that are not wrapped by the style. */
const LONG_CELL = 16

/** True within a link, since links cannot contain links. */
let isInLink = false

marked.use({
  renderer: {
    link(token) {
      isInLink = true
      const link = Renderer.prototype.link.call(this, token)
      isInLink = false
      return link
    },
    codespan({ text }) {
      const code = `<code>${escapeHtml(text)}</code>`
      const at = isInLink ? undefined : findPlace(text)
      return at === undefined ? code : `<a href="${escapeHtml(format({ view: "index", at }))}">${code}</a>`
    },
    html: ({ text }) => escapeHtml(text),
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || "picture")}</a>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    listitem(token) {
      const item = Renderer.prototype.listitem.call(this, token)
      return token.task ? item.replace("<li>", '<li class="task">') : item
    },
    // Whatever scrolls must take the focus, or a keyboard cannot scroll it.
    code: ({ lang, text }) => {
      const language = escapeHtml(/^\S*/.exec(lang ?? "")?.[0] ?? "")
      const head = `<div class="code-head"><span>${language}</span><button type="button" data-copy>Copy</button></div>`
      const code = `<code data-language="${language}">${escapeHtml(text)}</code>`
      return `<div class="code" dir="ltr">${head}<pre tabindex="0">${code}</pre></div>`
    },
    tablecell(token) {
      const cell = Renderer.prototype.tablecell.call(this, token)
      return token.text.length > LONG_CELL ? cell.replace(/^<t[dh]/, '$& class="long"') : cell
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="table" tabindex="0">${table}</div>`
    },
  },
})

/** Links send no referrer, and lead to no file of this server except its index: a model means a file of the project. */
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return
  if (/^#\/index\/./.test(node.getAttribute("href") ?? "")) return
  if (!/^(?:https?|mailto):/i.test(node.getAttribute("href") ?? "")) return node.removeAttribute("href")
  node.setAttribute("target", "_blank")
  node.setAttribute("rel", "noopener noreferrer")
})

const rules = {
  FORBID_TAGS: ["style", "form", "input", "img", "svg", "math", "video", "audio", "picture", "source"],
  FORBID_ATTR: ["style", "id", "name"],
  ADD_ATTR: ["target"],
  RETURN_TRUSTED_TYPE: true as const,
}

/** Renders Markdown as trusted HTML, which is the only kind that this page may show. */
export const render = (source: string) => DOMPurify.sanitize(marked.parse(source, { async: false }), rules)
