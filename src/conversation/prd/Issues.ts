/** Creates Beads issues for user stories, each once. A notice in the conversation records the created issues. */
import * as Effect from "effect/Effect"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import * as Beads from "./Beads.ts"
import type { UserStory } from "./PrdJson.ts"

/** The issues of a document so far, so that a failed run can continue. */
export interface IssueRecord {
  /** The ids of issues by the ids of stories. */
  readonly issues: Map<string, string>
  /** Pairs such as `bd-2 bd-1`: the first issue depends on the second. */
  readonly waits: Set<string>
}

/** Returns the stories without an issue. */
export const storiesWithoutIssue = (
  stories: ReadonlyArray<UserStory>,
  { issues }: IssueRecord,
): ReadonlyArray<UserStory> => stories.filter(({ id }) => !issues.has(id))

/**
 * Creates the issues that `made` lacks, adds each to it, and returns the new ones. A failure lists the issues created
 * before it.
 */
export const make = Effect.fn("Issues.make")(function* (stories: ReadonlyArray<UserStory>, made: IssueRecord) {
  const { create, depend } = yield* Beads.Beads
  const fresh = storiesWithoutIssue(stories, made)
  return yield* Effect.gen(function* () {
    for (const story of fresh) made.issues.set(story.id, yield* create(issueOf(story)))
    for (const [id, on] of dependencies(stories, made)) {
      if (made.waits.has(`${id} ${on}`)) continue
      yield* depend(id, on)
      made.waits.add(`${id} ${on}`)
    }
    return listIssues(fresh, made)
  }).pipe(Effect.mapError(({ reason }) => new Beads.BeadsError({ reason, made: listIssues(fresh, made) })))
})

export const count = ({ issues, waits }: IssueRecord): number => issues.size + waits.size

/** Makes a notice of the issues of a document, for the conversation. The model reads it, too. */
export const record = (document: string, { issues, waits }: IssueRecord): Draft => {
  const text = [
    heading(document),
    ...Array.from(issues, ([story, issue]) => `${story} is ${issue}`),
    ...Array.from(waits, (pair) => pair.replace(" ", " waits for ")),
  ].join("\n")
  return { message: { role: "system", content: [Block.text(text)] }, source: { type: "notice" } }
}

/** Reads the record of a document from the last notice in the conversation. */
export const readRecord = (document: string, nodes: ReadonlyArray<Node>): IssueRecord => {
  const isOurs = ({ message, source }: Node) =>
    source.type === "notice" && Message.text(message).startsWith(`${heading(document)}\n`)
  const last = nodes.findLast(isOurs)
  const lines = last === undefined ? [] : Message.text(last.message).split("\n").slice(1)
  const read = (pattern: RegExp) =>
    lines.flatMap((line) => {
      const [, one, other] = pattern.exec(line) ?? []
      return one === undefined || other === undefined ? [] : [[one, other] as const]
    })
  return {
    issues: new Map(read(/^(\S+) is (\S+)$/)),
    waits: new Set(read(/^(\S+) waits for (\S+)$/).map((pair) => pair.join(" "))),
  }
}

const heading = (document: string): string => `[Beads issues of ${document}]`

const issueOf = ({ acceptanceCriteria, description, id, labels, priority, title }: UserStory): Beads.Issue => ({
  title: `${id}: ${title}`.slice(0, MAX_TITLE_CHARS),
  description,
  acceptance: acceptanceCriteria.map((criterion) => `- [ ] ${criterion}`).join("\n"),
  priority,
  labels,
})

/** The most characters of a title, a limit of Beads. */
const MAX_TITLE_CHARS = 500

/** The dependencies between stories of the document, as pairs of issue ids. */
const dependencies = (
  stories: ReadonlyArray<UserStory>,
  { issues }: IssueRecord,
): ReadonlyArray<readonly [string, string]> =>
  stories.flatMap((story) =>
    story.dependsOn.flatMap((on) => {
      const [id, other] = [issues.get(story.id), issues.get(on)]
      return id === undefined || other === undefined || id === other ? [] : [[id, other] as const]
    }),
  )

const listIssues = (stories: ReadonlyArray<UserStory>, { issues }: IssueRecord): ReadonlyArray<string> =>
  stories.flatMap(({ id }) => {
    const issue = issues.get(id)
    return issue === undefined ? [] : [`${issue} (${id})`]
  })
