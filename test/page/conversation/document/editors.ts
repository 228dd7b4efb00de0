/** Editors of one document at a simulated server, whose messages arrive in any order. */
import { Text } from "@codemirror/state"
import { type Known, receive, type Version } from "../../../../src/page/conversation/document/Merge.ts"

/** A page with a document, without the page. */
interface Editor {
  now: string
  known: Known
  /** On its way to the server, or the server's response on its way back. */
  saving: { readonly text: string; readonly version: number; response?: Version | "lost" } | undefined
  /** Events that have not arrived. */
  events: Array<Version>
}

const open = (document: Version): Editor => ({
  now: document.text,
  known: { base: document, sent: undefined },
  saving: undefined,
  events: [],
})

const hear = (editor: Editor, document: Version, isState = false) => {
  const { changes, known } = receive(editor.known, editor.now, document, isState)
  editor.known = known
  if (changes === undefined) return
  editor.now = changes.apply(Text.of(editor.now.split("\n"))).toString()
}

/** Two editors, a model, and a server that refuses a text that was made from an old one. */
export class Simulation {
  document: Version = { text: "start\nmiddle\nend\n", version: 0 }
  readonly editors = [open(this.document), open(this.document)]
  written: Array<string> = []
  private next = 0x4e00

  /** A character that nothing else has written. */
  private fresh() {
    const character = String.fromCharCode(this.next++)
    this.written.push(character)
    return character
  }
  private change(text: string) {
    this.document = { text, version: this.document.version + 1 }
    for (const { events } of this.editors) events.push(this.document)
  }
  private insert(text: string, at: number) {
    const place = at % (text.length + 1)
    return `${text.slice(0, place)}${this.fresh()}${text.slice(place)}`
  }
  model(at: number) {
    this.change(this.insert(this.document.text, at))
  }
  type(editor: Editor, at: number) {
    editor.now = this.insert(editor.now, at)
  }
  /** Sends, has the server answer, or takes the answer: the next step of a save. */
  save(editor: Editor, isLost: boolean) {
    const { saving } = editor
    if (saving === undefined) {
      if (editor.now === editor.known.base.text) return
      editor.saving = { text: editor.now, version: editor.known.base.version }
      editor.known = { ...editor.known, sent: editor.now }
    } else if (saving.response === undefined) {
      if (saving.version === this.document.version) {
        // A text that is lost before it arrives changes nothing.
        if (!(isLost && saving.text.length % 2 === 0)) this.change(saving.text)
      }
      saving.response = isLost ? "lost" : this.document
    } else {
      editor.saving = undefined
      if (saving.response === "lost") {
        // The connection was lost, so the page asks for the state when it is back.
        editor.events = []
        hear(editor, this.document, true)
      } else hear(editor, saving.response)
    }
  }
  event(editor: Editor) {
    // While a text is on its way, a page waits for its outcome.
    const event = editor.saving === undefined ? editor.events.shift() : undefined
    if (event !== undefined) hear(editor, event)
  }
  reload(editor: Editor) {
    editor.saving = undefined
    editor.events = []
    hear(editor, this.document, true)
  }
  settle() {
    for (let round = 0; round < 100; round++)
      for (const editor of this.editors) {
        this.save(editor, false)
        this.event(editor)
      }
  }
}
