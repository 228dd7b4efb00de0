import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as PrdJson from "../../src/chat/PrdJson.ts"

const createdAt = "2026-11-21T00:00:00.000Z"

const doc = (...lines: ReadonlyArray<string>) => lines.join("\n")

const ids = (content: string) => PrdJson.userStories(content).map(({ id, title }) => `${id} ${title}`)

const first = (...body: ReadonlyArray<string>) =>
  PrdJson.userStories(doc("### US-001: Title", ...body))[0] ?? assert.fail("there is no story")

const whole = doc(
  "# PRD: Dark Mode",
  "",
  "> Branch: `feature/night`",
  "> Generated: 2026-01-02",
  "",
  "People read **at night**.",
  "It hurts.",
  "",
  "## User Stories",
  "",
  "### US-001: A switch",
  "",
  "**Description:** As a reader, I want a switch.",
  "",
  "**Acceptance Criteria:**",
  "- [ ] There is a switch",
  "- [x] It is kept",
  "",
  "**Priority:** P0",
  "**Labels:** ui, night",
  "",
  "### US-002: Colours",
  "",
  "**As a** reader, I want *soft* colours.",
  "",
  "**Depends on:** US-001",
  "",
  "**Acceptance Criteria:**",
  "- No white",
  "",
  "## Architecture",
  "- [ ] nobody's",
)

describe("PrdJson.make", () => {
  it("converts a document", () => {
    const json = PrdJson.make(whole, { createdAt, sourcePrd: "tasks/prd-dark-mode.md" })
    assert.deepStrictEqual(json, {
      name: "Dark Mode",
      description: "People read at night. It hurts.",
      branchName: "feature/night",
      userStories: [
        {
          id: "US-001",
          title: "A switch",
          description: "As a reader, I want a switch.",
          acceptanceCriteria: ["There is a switch", "It is kept"],
          priority: 0,
          passes: false,
          labels: ["ui", "night"],
          dependsOn: [],
        },
        {
          id: "US-002",
          title: "Colours",
          description: "As a reader, I want *soft* colours.",
          acceptanceCriteria: ["No white"],
          priority: 2,
          passes: false,
          labels: [],
          dependsOn: ["US-001"],
        },
      ],
      metadata: { createdAt: "2026-01-02", version: "1.0.0", sourcePrd: "tasks/prd-dark-mode.md" },
    })
    assert.deepStrictEqual(Schema.decodeUnknownSync(PrdJson.PrdJson)(JSON.parse(JSON.stringify(json))), json)
  })

  it("names the branch after the feature, and has a source only where one is given", () => {
    for (const sourcePrd of [undefined, "", " "]) {
      const { branchName, metadata, userStories } = PrdJson.make("# PRD: 暗黑 模式\n\nWords.", { createdAt, sourcePrd })
      assert.strictEqual(branchName, "feature/暗黑-模式")
      assert.deepStrictEqual(metadata, { createdAt, version: "1.0.0" })
      assert.deepStrictEqual(userStories, [])
    }
  })
})

describe("PrdJson.userStories", () => {
  it("does not take the text of a story as the description", () => {
    assert.strictEqual(PrdJson.make("# PRD: X\n\n### US-001: A\n\nWords.", { createdAt }).description, "")
  })

  it.each(
    ["##", "###", "####"].flatMap((level) => [
      [`${level} US-001: Title`, "US-001 Title"] as const,
      [`${level} EPIC-12: Title`, "EPIC-12 Title"] as const,
      [`${level} Feature 1.1: Title`, "FEAT-1-1 Title"] as const,
    ]),
  )("reads %s as %s", (heading, story) => {
    assert.deepStrictEqual(ids(doc("# PRD: X", "", heading, "", "Words.")), [story])
  })

  it("keeps ids of several parts, and ids with a prefix of their own", () => {
    const content = doc("### US-2.1.1: No id", "### US-002.1.1: A", "### TASK-9999: B", "### EPIC-1: C")
    assert.deepStrictEqual(ids(content), ["US-002.1.1 A", "TASK-9999 B", "EPIC-1 C"])
  })

  it("numbers stories without a valid id", () => {
    const content = doc("## User Stories", "### US-1: A", "### US-9999: B")
    assert.deepStrictEqual(ids(content), ["STORY-001 A", "STORY-002 B"])
  })

  it("takes headings with an id before all others", () => {
    assert.deepStrictEqual(ids(doc("## User Stories", "### Login: A", "### US-001: B")), ["US-001 B"])
  })

  it("takes headings of the section of user stories before those of others, and ends it at the next", () => {
    const content = doc("## Login: no story", "## User Stories", "### Login: A", "## Architecture", "### Store: B")
    assert.deepStrictEqual(ids(content), ["STORY-001 A"])
  })

  it("takes any heading with a colon where there is no other, but for known sections", () => {
    const content = doc("## Overview: what", "## Technical: how", "### Login: A", "## Open Questions: none")
    assert.deepStrictEqual(ids(content), ["STORY-001 A"])
  })

  it("takes lines in bold as stories where no heading is one", () => {
    const content = doc(
      "# Dark Mode",
      "## User Stories",
      "- **US-001**: A switch",
      "  - [ ] There is a switch",
      "- **US-002: Colours**",
      "## Functional Requirements",
      "- **US-003** is for later",
    )
    assert.deepStrictEqual(ids(content), ["US-001 A switch", "US-002 Colours"])
    assert.deepStrictEqual(PrdJson.userStories(content)[0]?.acceptanceCriteria, ["There is a switch"])
    assert.deepStrictEqual(ids(doc("## User Stories", "### US-001: A", "- **US-002**: B")), ["US-001 A"])
    assert.deepStrictEqual(ids(doc("**Story 1: One**", "```", "**Story 2: Two**", "```")), ["STORY-001 One"])
  })

  it("ignores fenced code", () => {
    assert.deepStrictEqual(ids(doc("```", "### US-001: Sample", "```", "### US-002: Real")), ["US-002 Real"])
  })

  it.each([
    ["a paragraph", ["Some words", "on two lines.", "", "More."], "Some words on two lines."],
    ["a named one", ["**Description:** Words."], "Words."],
    ["a bold one", ["**As a** user, **I want** it."], "As a user, I want it."],
    ["none before its fields", ["**Priority:** P1", "Words."], ""],
    ["one up to its criteria", ["Words.", "**Acceptance Criteria:**", "- a"], "Words."],
    ["one up to a rule", ["Words.", "---", "More."], "Words."],
    ["one up to a heading", ["Words.", "##### Notes", "More."], "Words."],
  ])("describes a story by %s", (_, body, description) => {
    assert.strictEqual(first(...body).description, description)
  })

  it.each([
    [
      "the items below their line",
      ["- intro", "**Acceptance Criteria:**", "", "- [ ] a", "- [X] b", "* c"],
      ["a", "b", "c"],
    ],
    ["up to the next field", ["**Acceptance Criteria:**", "- a", "**Notes:** x", "- b"], ["a"]],
    ["up to a rule", ["**Acceptance Criteria:**", "- a", "---", "- b"], ["a"]],
    ["the first list where there is no such line", ["Words.", "- a", "- b"], ["a", "b"]],
  ])("takes for criteria %s", (_, body, criteria) => {
    assert.deepStrictEqual(first(...body).acceptanceCriteria, criteria)
  })

  it("ranks stories by their order by default, at most 4, and marks none as passed", () => {
    const content = doc(...[1, 2, 3, 4, 5, 6].map((number) => `### US-00${number}: T`))
    const stories = PrdJson.userStories(content)
    assert.deepStrictEqual(
      stories.map(({ priority }) => priority),
      [1, 2, 3, 4, 4, 4],
    )
    assert.isTrue(stories.every(({ passes }) => !passes))
    assert.strictEqual(first("**Priority:** P3").priority, 3)
  })
})

describe("PrdJson.labels", () => {
  it.each<readonly [unknown, ReadonlyArray<string> | undefined]>([
    ["a, b ,,c", ["a", "b", "c"]],
    [
      [" a ", 1, null, "b", ""],
      ["a", "b"],
    ],
    ["", undefined],
    [" , ", undefined],
    [[], undefined],
    [[1], undefined],
    [undefined, undefined],
    [{}, undefined],
  ])("of %j are %j", (input, labels) => {
    assert.deepStrictEqual(PrdJson.parseLabels(input), labels)
  })
})
