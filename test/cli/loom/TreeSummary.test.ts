import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as NodeFormat from "../../../src/cli/loom/NodeFormat.ts"
import * as TreeSummary from "../../../src/cli/loom/TreeSummary.ts"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import { withScript } from "../../utils/Looms.ts"

describe("vibe loom roots", () => {
  it.effect("says of each tree what it is, when and where it was held, and how much was said", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const say = (text: string) => ({ message: Message.user(text), source: { type: "user" } }) as const
      const own = yield* forest.startConversation({ owner: "chat", systemPrompt: "S", folder: "/home/me" })
      yield* forest.append(own.id, [say("Why is the sky blue?"), say("And at night?")])
      const shared = yield* forest.root({ owner: "ask", systemPrompt: "Be brief" })
      yield* forest.append(shared.id, [say("one"), say("more")])
      yield* forest.append(shared.id, [say("two")])
      yield* forest.root({ owner: "loom", systemPrompt: "Be kind" })
      yield* TestClock.adjust("3 hours")
      const roots = yield* forest.roots()
      const labels = yield* NodeFormat.loadLabels(roots)
      const summaryOf = yield* TreeSummary.load
      assert.deepStrictEqual(
        roots.map((root) => TreeSummary.row(root, summaryOf(root), labels, Style.plain, { now: 3 * 3_600_000 })),
        [
          "n-0  3 h ago  Why is the sky blue?  chat  /home/me  2 messages",
          'n-3  3 h ago  "Be brief"  ask  2 conversations, 3 messages',
          'n-7  3 h ago  "Be kind"  loom  0 conversations, 0 messages',
        ],
      )
    }).pipe(withScript([])),
  )

  it.effect("has short words for owners, and says the codebase in place of vibe's own system prompt", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const say = (text: string) => ({ message: Message.user(text), source: { type: "user" } }) as const
      const page = yield* forest.root({ owner: "session:Wm9vbQ0123456789abcdef", systemPrompt: "S", key: "session" })
      yield* forest.append(page.id, [say("How do retries work in this codebase?")])
      yield* forest.root({ owner: "index:/home/me/projects/a-long-name/application", systemPrompt: "You explore" })
      const plan = yield* forest.startConversation({ owner: "document:/home/me/plan.md", systemPrompt: "S" })
      yield* forest.append(plan.id, [say("Shorten it")])
      const owner = ConversationEngine.OWNER("/home/me/shop")
      const interview = yield* forest.startConversation({ owner, systemPrompt: "S", folder: "/home/me/shop" })
      yield* forest.append(interview.id, [say("Search is slow")])
      yield* forest.root({ owner: "loom", systemPrompt: "" })
      const roots = yield* forest.roots()
      const labels = yield* NodeFormat.loadLabels(roots)
      const summaryOf = yield* TreeSummary.load
      const rows = (width: number) =>
        roots.map((root) => TreeSummary.row(root, summaryOf(root), labels, Style.plain, { now: 0, width }))
      assert.deepStrictEqual(rows(80), [
        "n-0  just now  How do retries work in this codebase?  page  1 message",
        "n-2  just now  …/application  index  0 conversations, 0 messages",
        "n-3  just now  Shorten it  document plan.md  1 message",
        "n-5  just now  Search is slow  discover  /home/me/shop  1 message",
        "n-7  just now  (no system prompt)  loom  0 conversations, 0 messages",
      ])
      for (const row of rows(60)) assert.isAtMost(row.length, 60)
    }).pipe(withScript([])),
  )
})
