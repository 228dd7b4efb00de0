/** Styles the text in the colours of the page. */
import { EditorView } from "@codemirror/view"

export const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "var(--text-s) / 1.6 var(--mono)" },
  ".cm-content": { padding: "0.75rem 0.5rem", caretColor: "var(--text)" },
  ".cm-line": { paddingLeft: "0.6rem" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--muted)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "light-dark(#cfd2fb, #3a3f86)",
  },
  ".cm-unsent": { boxShadow: "inset 3px 0 var(--warning)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { background: "var(--added)" },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in srgb, var(--added), currentColor 12%)" },
  ".cm-deletedChunk": { background: "var(--removed)" },
  ".cm-deletedChunk .cm-deletedText": { background: "color-mix(in srgb, var(--removed), currentColor 12%)" },
  ".cm-collapsedLines": { background: "var(--raised)", color: "var(--muted)" },
})
