import { assert, describe, it } from "@effect/vitest"
import * as WatchText from "../../../src/cli/watch/WatchText.ts"
import type { FileChange, Refreshed } from "../../../src/index/IndexStore.ts"

const none: Refreshed = { files: 2, symbols: 5, parsed: 0, removed: 0, hidden: 0 }

const change = (path: string, change: FileChange["change"], symbols: Partial<FileChange> = {}): FileChange => ({
  path,
  change,
  added: [],
  changed: [],
  removed: [],
  ...symbols,
})

const line = (refreshed: Partial<Refreshed>) => WatchText.line({ ...none, ...refreshed }, (path) => `../${path}`)

describe("a line of vibe watch", () => {
  it("says of few files what has changed", () => {
    assert.strictEqual(
      line({ changes: [change("a.ts", "changed", { changed: ["one", "two"], added: ["three"] })] }),
      "../a.ts: 2 symbols changed, 1 added",
    )
    assert.strictEqual(
      line({
        changes: [
          change("a.ts", "added", { added: ["one"] }),
          change("b.ts", "removed", { removed: ["one"] }),
          change("c.md", "changed"),
        ],
      }),
      "../a.ts: new, 1 symbol; ../b.ts: removed; ../c.md: changed, no symbols",
    )
  })

  it("counts many files", () => {
    assert.strictEqual(
      line({ changes: ["a", "b", "c", "d"].map((name) => change(name, name === "a" ? "changed" : "removed")) }),
      "4 files: 1 changed, 3 removed",
    )
    assert.strictEqual(line({ parsed: 5_000, removed: 1 }), "5000 files new or changed, 1 file removed")
  })

  it("is not printed where nothing has changed", () => {
    assert.isFalse(WatchText.isChanged(none))
    assert.isFalse(WatchText.isChanged({ ...none, changes: [] }))
    assert.isTrue(WatchText.isChanged({ ...none, removed: 1 }))
  })
})
