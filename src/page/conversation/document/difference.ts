/**
 * Shows the changes between two texts in one column. Loaded with the editor's parts when the user opens the versions.
 */
import { unifiedMergeView } from "@codemirror/merge"
import { EditorState } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { theme } from "./theme.ts"

/** Shows the difference, and returns a function that removes it. */
export const showDifference = (parent: HTMLElement, a: string, b: string, nonce: string): (() => void) => {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: b,
      extensions: [
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        theme,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": "Text with what changed" }),
        unifiedMergeView({ original: a, mergeControls: false, gutter: false, collapseUnchanged: { margin: 3 } }),
      ],
    }),
  })
  return () => view.destroy()
}
