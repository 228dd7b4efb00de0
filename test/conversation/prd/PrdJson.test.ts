import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as PrdJson from "../../../src/conversation/prd/PrdJson.ts"

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
    const content = doc("### US-002.1.1: A", "### TASK-9999: B", "### EPIC-1: C")
    assert.deepStrictEqual(ids(content), ["US-002.1.1 A", "TASK-9999 B", "EPIC-1 C"])
  })

  it("takes ids of other forms beside valid ones as they are", () => {
    const content = doc("### US-001: A", "### US-2.1.1: B", "### us-003: C", "### US4: D", "### USA: no story")
    assert.deepStrictEqual(ids(content), ["US-001 A", "US-2.1.1 B", "US-003 C", "US4 D"])
  })

  it.each([
    "[US-002] Store",
    "[US-002]: Store",
    "[US-002](#us-002): Store",
    "`US-002`: Store",
    "**`US-002`**: Store",
    "(US-002) Store",
    "_US-002_ Store",
    "US-002 - Store",
    "US-002 – Store",
    "US-002—Store",
    "US-002-Store",
    "US-002 -- Store",
    "US-002. Store",
    "US-002) Store",
    "US-002 | Store",
    "US-002： Store",
    "US\u2011002: Store",
    "1. US-002: Store",
    "2.1 Story US-002: Store",
    "User Story US-002: Store",
    "✅ US-002: Store",
    "[ ] US-002: Store",
    "US-002: Store ###",
    "Store (US-002)",
    "Store [`US-002`]",
  ])("takes the heading %j beside others for US-002 Store", (heading) => {
    const content = doc("### US-001: Toggle", "- a", `### ${heading}`, "- b")
    assert.deepStrictEqual(ids(content), ["US-001 Toggle", "US-002 Store"])
    assert.deepStrictEqual(PrdJson.problems(content), [])
  })

  it.each(["US1", "[US-1]", "`US-1`", "US1 -", "Story 1:", "Story 1 –", "User Story 1."])(
    "numbers a story with the heading %j",
    (heading) => {
      assert.deepStrictEqual(ids(doc("## User Stories", `### ${heading} Toggle`)), ["STORY-001 Toggle"])
    },
  )

  it("keeps titles that begin with a sign", () => {
    const content = doc("### US-001: .NET", "### US-002 --verbose", "### US-003: -v")
    assert.deepStrictEqual(ids(content), ["US-001 .NET", "US-002 --verbose", "US-003 -v"])
  })

  it("gives each story an id of its own, which no other story has", () => {
    const content = doc("### US-001: A", "### US-001 – B", "### US-001-2: C", "### [US-001] D", "### us-002: E")
    const stories = PrdJson.userStories(content).map(({ id }) => id)
    assert.strictEqual(new Set(stories).size, 5)
    assert.deepStrictEqual(stories.slice(0, 2), ["US-001", "US-001-2"])
  })

  it("resolves dependencies to the ids of stories, however they are written", () => {
    const dependsOn = (...body: ReadonlyArray<string>) =>
      PrdJson.userStories(doc("### US-001: A", "### US-002: B", "### US-003: C", ...body)).at(-1)?.dependsOn
    for (const text of [
      "US-001, US-002",
      "`US-001`, `US-002`",
      "[US-001] and [US-002]",
      "us-001 & US-002 (the store)",
    ]) {
      assert.deepStrictEqual(dependsOn(`**Depends on:** ${text}`), ["US-001", "US-002"], text)
    }
    assert.deepStrictEqual(dependsOn("**Depends on:**", "- US-001", "- US-002: B"), ["US-001", "US-002"])
    assert.deepStrictEqual(dependsOn("#### Dependencies", "", "US-001"), ["US-001"])
    for (const text of ["None", "-", "n/a", "—", "nothing"])
      assert.deepStrictEqual(dependsOn(`**Depends on:** ${text}`), [])
    assert.deepStrictEqual(dependsOn("**Depends on:** the store"), ["the store"])
    const numbered = PrdJson.userStories(doc("## User Stories", "### US1: A", "### US2: B", "**Depends on:** US1"))
    assert.deepStrictEqual(numbered[1]?.dependsOn, ["STORY-001"])
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
    ["a numbered list", ["**Acceptance Criteria:**", "1. a", "2) b", "(3) c"], ["a", "b", "c"]],
    ["a list with letters", ["**Acceptance Criteria:**", "a) x", "b. y"], ["x", "y"]],
    ["a numbered list with checkboxes", ["**Acceptance Criteria**", "1. [ ] a", "2. [x] b"], ["a", "b"]],
    [
      "signs and names of criteria",
      ["Acceptance criteria:", "• a", "+ b", "☐ c", "AC1: d", "**AC-2.1:** e"],
      ["a", "b", "c", "d", "e"],
    ],
    ["what is below a heading", ["#### Acceptance Criteria", "- [ ] a", "- [ ] b"], ["a", "b"]],
    ["what is below a small heading", ["##### ✅ Acceptance Criteria:", "", "1. a", "", "#### Notes", "- b"], ["a"]],
    [
      "groups below a heading",
      ["#### Acceptance Criteria", "##### Looks", "- a", "##### Speed", "- b", "#### Tasks", "- c"],
      ["a", "b"],
    ],
    ["groups below their line", ["**Acceptance Criteria:**", "", "*Looks:*", "- a", "", "*Speed:*", "- b"], ["a", "b"]],
    [
      "what two titles have below them",
      ["**Acceptance Criteria (UI):**", "- a", "**Acceptance Criteria (API):**", "- b"],
      ["a", "b"],
    ],
    ["the list straight after a field", ["**Priority:** P1", "- [ ] a", "- [ ] b"], ["a", "b"]],
    ["the list after several fields", ["**Priority:** P1", "**Depends on:** US-001", "", "1. a"], ["a"]],
    [
      "no list of another field",
      ["**Labels:**", "- ui", "", "**Notes:** look", "- n", "**Priority:** P1", "- a"],
      ["a"],
    ],
    ["checkboxes before other lists", ["Pages:", "- home", "", "Checks:", "- [ ] a", "- [] b"], ["a", "b"]],
    [
      "a list of fields",
      ["- **Priority:** P1", "- **Acceptance Criteria:**", "  - a", "  - b", "- **Notes:** c"],
      ["a", "b"],
    ],
    [
      "items with a colon or in bold",
      ["**Acceptance Criteria:**", "- Labels: blue", "- **Notes:** are shown", "- b"],
      ["Labels: blue", "**Notes:** are shown", "b"],
    ],
    [
      "items on several lines",
      ["**Acceptance Criteria:**", "- a", "  goes on", "- b", "and on", "", "After."],
      ["a goes on", "b and on"],
    ],
    [
      "the words on its line",
      ["**Acceptance Criteria:** It stays; it is fast", "**Priority:** P1"],
      ["It stays", "it is fast"],
    ],
    [
      "lines without a mark",
      ["**Acceptance Criteria:**", "Given a page", "When it opens", "", "**Notes:** x"],
      ["Given a page", "When it opens"],
    ],
    [
      "scenarios in code",
      ["#### Acceptance Criteria", "```gherkin", "Given a", "Then b", "```"],
      ["Given a", "Then b"],
    ],
    ["a title of another name", ["Words.", "- intro", "**Definition of Done**", "1. a"], ["a"]],
    ["a list below a heading in any language", ["Worte.", "#### Akzeptanzkriterien", "- a"], ["a"]],
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

describe("PrdJson.problems", () => {
  it("names stories without criteria, repeated ids, unknown dependencies and lines that are no story", () => {
    const content = doc(
      "## User Stories",
      "### US-001: A",
      "- a",
      "### US-001: B",
      "**Depends on:** US-009, US-001",
      "### Login",
      "- lost",
      "### Notes",
      "##### US-003: Deep",
      "## Later",
      "- **US-004**: Bold",
    )
    assert.deepStrictEqual(PrdJson.problems(content), [
      "No acceptance criteria were found for US-001-2",
      "US-001 is the id of several stories: one of them is US-001-2 now",
      "US-001-2 depends on US-009, which is no story of the document",
      'Not taken as a story, since it lacks an id such as US-001 in a heading of level 2 to 4: "Login", "US-003: Deep" and "US-004: Bold"',
    ])
  })

  it("says nothing of a document that was taken whole, and little of one with many problems", () => {
    assert.deepStrictEqual(PrdJson.problems(whole), [])
    const many = Array.from({ length: 20 }, (_, at) => `### US-${String(at + 100)}: T`)
    assert.deepStrictEqual(PrdJson.problems(doc(...many)), [
      "No acceptance criteria were found for US-100, US-101, US-102, US-103, US-104 and 15 more",
    ])
    assert.lengthOf(PrdJson.problems(doc(...many.map(() => "### US-001: T"))), 7)
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
