/**
 * Edits the text that the user and models write, in CodeMirror. Changes from outside are applied as changes, so that
 * neither the cursor nor a word moves.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from "@codemirror/language"
import { Chunk } from "@codemirror/merge"
import { Annotation, EditorState, type Range, StateEffect, StateField, Text, Transaction } from "@codemirror/state"
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, placeholder } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { GFM, parser } from "@lezer/markdown"
import { normalize } from "./Merge.ts"
import { Saver, type Status } from "./Saver.ts"
import { theme } from "./theme.ts"

/**
 * Markdown is defined here because `@codemirror/lang-markdown` includes the languages of HTML, CSS and JavaScript: 73
 * kB, gzipped.
 */
const data = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } })
const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  "markdown",
)

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "bold" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "bold" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.monospace, tags.processingInstruction, tags.contentSeparator, tags.quote], color: "var(--muted)" },
])

const fromServer = Annotation.define<boolean>()

/** The text that the model had last, against which edits are marked. */
const setModelText = StateEffect.define<Text>()
const unsent = Decoration.line({ class: "cm-unsent" })

interface Marks {
  readonly modelText: Text
  readonly chunks: ReadonlyArray<Chunk>
  readonly lines: DecorationSet
}

const mark = (modelText: Text, text: Text, chunks: ReadonlyArray<Chunk>): Marks => {
  const lines: Array<Range<Decoration>> = []
  for (const { endB, fromB, toB } of chunks) {
    const end = toB > fromB ? Math.min(endB, text.length) : fromB
    for (let line = text.lineAt(Math.min(fromB, text.length)); ; line = text.line(line.number + 1)) {
      lines.push(unsent.range(line.from))
      if (line.to >= end || line.number === text.lines) break
    }
  }
  return { modelText, chunks, lines: Decoration.set(lines, true) }
}

const marks = StateField.define<Marks>({
  create: ({ doc }) => mark(doc, doc, []),
  update: (before, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setModelText))
    const { doc } = transaction.state
    if (given !== undefined) return mark(given.value, doc, Chunk.build(given.value, doc))
    if (!transaction.docChanged) return before
    return mark(before.modelText, doc, Chunk.updateB(before.chunks, before.modelText, doc, transaction.changes))
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
})

export interface Editor {
  readonly view: EditorView
  readonly saver: Saver
  /** Marks the lines that differ from the text that the model had last. */
  readonly setModelText: (text: string) => void
  readonly replace: (text: string) => void
  readonly destroy: () => void
}

export const make = (
  parent: HTMLElement,
  conversation: string,
  first: { readonly text: string; readonly version: number },
  nonce: string,
  onStatus: (status: Status) => void,
): Editor => {
  const saver = new Saver(conversation, first, {
    text: () => view.state.doc.toString(),
    // The change is not added to the history: undo only takes back the user's own changes.
    change: (changes) =>
      view.dispatch({ changes, annotations: [fromServer.of(true), Transaction.addToHistory.of(false)] }),
    onStatus,
  })
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: saver.initial,
      extensions: [
        history(),
        drawSelection(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": "Document", spellcheck: "true" }),
        placeholder("A prompt, a plan, a file: you write here, and so does the model."),
        markdown,
        theme,
        syntaxHighlighting(highlight),
        marks,
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged && !transactions.every((transaction) => transaction.annotation(fromServer))) saver.onEdit()
        }),
      ],
    }),
  })
  saver.begin()
  return {
    view,
    saver,
    setModelText: (text) => view.dispatch({ effects: setModelText.of(Text.of(normalize(text).split("\n"))) }),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    destroy: () => {
      saver.end()
      view.destroy()
    },
  }
}
