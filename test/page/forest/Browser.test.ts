/** What the forest view keeps, with a server that answers when the test says so. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Browser from "../../../src/page/forest/Browser.ts"
import type * as Outline from "../../../src/page/forest/Outline.ts"

const row = (id: string, parent: string, children: number): Outline.Row => ({
  id: NodeId.make(id),
  parent: NodeId.make(parent),
  kind: id === parent ? "conversation" : "user",
  text: id,
  at: 0,
  children,
  bookmarks: [],
})

/** A conversation with a question, which three answers follow. */
const conversation = row("c", "c", 1)
const question = row("q", "c", 3)
const answers = [row("a1", "q", 0), row("a2", "q", 0), row("a3", "q", 0)]

const answerOf = (path: string): unknown => {
  if (path.startsWith("/api/forest/conversations")) return { rows: [conversation], more: false }
  if (path.startsWith("/api/forest/run")) return { rows: [question] }
  if (path.startsWith("/api/forest/children")) return { rows: answers, total: 3 }
  return {
    conversation,
    rows: [
      { ...question, position: 0, siblings: 1 },
      ...(path.endsWith("q") ? [] : [{ ...answers[2], position: 2, siblings: 3 }]),
    ],
    earlier: false,
  }
}

describe("the lines of the forest", () => {
  const whole = globalThis.fetch
  /** The next answer to that path waits for what it gives. */
  let held: { readonly path: string; readonly until: Promise<void> } | undefined

  const hold = (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = { path, until: promise }
    return resolve
  }
  const shown = () => Browser.lines.value.items.map((item) => (item.type === "row" ? `${item.row.id}` : item.what))
  /** Reads every gap that is shown, as the tree does. */
  const readGaps = async () => {
    for (let gap = gapOf(); gap !== undefined; gap = gapOf()) await Browser.read(gap, 0)
  }
  const gapOf = () => Browser.lines.value.items.find((item): item is Outline.Gap => item.type === "gap")

  beforeEach(() => {
    globalThis.fetch = async (url) => {
      const path = String(url)
      const wait = held
      if (wait !== undefined && path.startsWith(wait.path)) {
        held = undefined
        await wait.until
      }
      return Response.json(answerOf(path))
    }
  })
  afterEach(() => {
    globalThis.fetch = whole
    for (const id of ["c", "q"]) Browser.setOpen(id, false)
    Browser.active.value = undefined
  })

  it("keep what is opened while the forest is read anew", async () => {
    let to = 1
    const release = hold("/api/forest/conversations")
    const reading = Browser.reload(() => ({ from: 0, to }))
    await readGaps()
    assert.deepStrictEqual(shown(), ["c"])
    Browser.setOpen("c", true)
    await readGaps()
    Browser.setOpen("q", true)
    await readGaps()
    to = 5
    release()
    await reading
    assert.deepStrictEqual(shown(), ["c", "q", "a1", "a2", "a3"])
  })

  it("keep the active line that one goes to while the forest is read anew, however far down it is", async () => {
    await Browser.reload(() => ({ from: 0, to: 1 }))
    const release = hold("/api/forest/conversations")
    const reading = Browser.reload(() => ({ from: 0, to: 1 }))
    await Browser.reveal("a3")
    release()
    await reading
    assert.strictEqual(Browser.activeLine.value?.row.id, "a3")
  })

  it("keep what was said last where a node is removed while it is read, but say what else goes wrong", async () => {
    await Browser.reload(() => ({ from: 0, to: 1 }))
    Browser.said.value = "Removed 3 messages."
    Browser.setOpen("c", true)
    const gap = gapOf() ?? assert.fail()
    globalThis.fetch = async () => Response.json({ message: "There is no such message" }, { status: 404 })
    await Browser.read(gap, 0)
    await Browser.reload(() => ({ from: 0, to: 1 }))
    assert.strictEqual(Browser.said.value, "Removed 3 messages.")
    globalThis.fetch = async () => Response.json({ message: "The forest is damaged" }, { status: 500 })
    await Browser.read(gap, 0)
    assert.strictEqual(Browser.said.value, "The forest is damaged")
  })

  it("are read anew where a read of what was shown before is still under way", async () => {
    await Browser.reload(() => ({ from: 0, to: 5 }))
    Browser.setOpen("c", true)
    await readGaps()
    const release = hold("/api/forest/children")
    Browser.setOpen("q", true)
    const old = gapOf()
    assert.strictEqual(old?.what, "children")
    const before = old === undefined ? undefined : Browser.read(old, 0)
    // Nothing of it is on the screen, so that it is not read with the rest.
    await Browser.reload(() => ({ from: 0, to: 1 }))
    await readGaps()
    assert.deepStrictEqual(shown(), ["c", "q", "a1", "a2", "a3"])
    release()
    await before
  })
})
