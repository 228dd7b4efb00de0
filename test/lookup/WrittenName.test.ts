import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as WrittenName from "../../src/lookup/WrittenName.ts"

const method = (path: string, container: string, name: string) =>
  new IndexEntry({
    path,
    name,
    container,
    kind: "method",
    startLine: 1,
    endLine: 2,
    signature: `${name}()`,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })

const all = [
  method("src/privileges/posts.js", "privsPosts", "canEdit"),
  method("src/privileges/users.js", "privsUsers", "canEdit"),
  method("src/messaging/edit.js", "Messaging", "canEdit"),
  method("src/posts/edit.js", "Posts", "edit"),
]

const index = { find: (name: string) => Effect.succeed(all.filter((entry) => entry.name === name)) }

const containersOf = (typed: string) =>
  Effect.map(WrittenName.find(index, typed), (found) => found.map(({ container }) => container))

describe("a name as it is written where it is used", () => {
  it("has parts, without its receiver, its arguments and what stands before it", () => {
    assert.deepStrictEqual(WrittenName.partsOf("await this.posts?.canEdit(a.b, c)"), ["posts", "canEdit"])
    assert.deepStrictEqual(WrittenName.partsOf("Config::from_file"), ["Config", "from_file"])
    assert.deepStrictEqual(WrittenName.partsOf("where is it decided"), [])
    assert.deepStrictEqual(WrittenName.partsOf("src/posts.js"), [])
  })

  it.effect("means the symbols whose container or path has its other parts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* containersOf("privileges.posts.canEdit"), ["privsPosts"])
      assert.deepStrictEqual(yield* containersOf("users.canEdit"), ["privsUsers"])
      assert.deepStrictEqual(yield* containersOf("privileges.canEdit"), ["privsPosts", "privsUsers"])
    }),
  )

  it.effect("means all of its last part where there is no other, and none where the one before it fits nowhere", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* containersOf("this.canEdit()"), 3)
      assert.deepStrictEqual(yield* containersOf("database.canEdit"), [])
      assert.deepStrictEqual(yield* containersOf("privileges.database.canEdit"), [])
    }),
  )
})
