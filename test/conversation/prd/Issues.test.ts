import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Beads from "../../../src/conversation/prd/Beads.ts"
import * as Issues from "../../../src/conversation/prd/Issues.ts"
import type { UserStory } from "../../../src/conversation/prd/PrdJson.ts"
import type { Draft, Node } from "../../../src/forest/Node.ts"
import { NodeId } from "../../../src/message/NodeId.ts"

const story = (id: string, dependsOn: ReadonlyArray<string> = []): UserStory => ({
  id,
  title: "Do it",
  description: "So that it is done.",
  acceptanceCriteria: ["It is done", "It stays done"],
  priority: 1,
  passes: false,
  labels: ["ui"],
  dependsOn,
})

const nothing = (): Issues.IssueRecord => ({ issues: new Map(), waits: new Set() })

const node = (draft: Draft, at: number): Node => ({
  ...draft,
  id: NodeId.make(`n-${at}`),
  root: NodeId.make("root"),
  parent: NodeId.make("root"),
  createdAt: at,
})

/** Makes them, with what Beads was asked for. */
const made = (stories: ReadonlyArray<UserStory>, known: Issues.IssueRecord = nothing()) =>
  Effect.gen(function* () {
    const issues: Array<Beads.Issue> = []
    const waits: Array<string> = []
    const beads: Beads.Service = {
      create: (issue) => Effect.sync(() => `bd-${issues.push(issue)}`),
      depend: (id, on) => Effect.sync(() => void waits.push(`${id} ${on}`)),
    }
    const named = yield* Effect.provideService(Issues.make(stories, known), Beads.Beads, beads)
    return { named, issues, waits, known }
  })

describe("Issues", () => {
  it.effect("contain everything of a story", () =>
    Effect.gen(function* () {
      const { issues, named } = yield* made([story("US-001")])
      assert.deepStrictEqual(named, ["bd-1 (US-001)"])
      assert.deepStrictEqual(issues, [
        {
          title: "US-001: Do it",
          description: "So that it is done.",
          acceptance: "- [ ] It is done\n- [ ] It stays done",
          priority: 1,
          labels: ["ui"],
        },
      ])
    }),
  )

  it.effect("wait for what is a story too, also a later one, and never for themselves", () =>
    Effect.gen(function* () {
      const { waits } = yield* made([story("A-1", ["A-2", "A-9", "A-1"]), story("A-2")])
      assert.deepStrictEqual(waits, ["bd-1 bd-2"])
    }),
  )

  it.effect("are read back from the conversation as they were written down there, of this document alone", () =>
    Effect.gen(function* () {
      const { known } = yield* made([story("A-1"), story("A-2", ["A-1"])])
      const nodes = [
        node(Issues.record("prd-a.md", nothing()), 1),
        node(Issues.record("prd-a.md", known), 2),
        node(Issues.record("prd-b.md", { issues: new Map([["A-1", "bd-9"]]), waits: new Set() }), 3),
      ]
      assert.deepStrictEqual(Issues.readRecord("prd-a.md", nodes), known)
      assert.deepStrictEqual(Issues.readRecord("prd-c.md", nodes), nothing())
      const { issues, waits } = yield* made([story("A-1"), story("A-2", ["A-1"])], Issues.readRecord("prd-a.md", nodes))
      assert.deepStrictEqual([issues, waits], [[], []])
    }),
  )

  it.effect("are not read from messages of users and models", () =>
    Effect.gen(function* () {
      const { known } = yield* made([story("A-1")])
      const { message } = Issues.record("prd-a.md", known)
      assert.deepStrictEqual(Issues.readRecord("prd-a.md", [node({ message, source: { type: "user" } }, 1)]), nothing())
    }),
  )
})
