/** `/accept`: saves an answer as the PRD that only looks like one, once the user has seen what will be saved. */

import * as Effect from "effect/Effect"
import { plural } from "../../base/Prose.ts"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { readTail } from "../../forest/ForestService.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Next, Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import type { SlashCommand } from "../slash/SlashCommand.ts"
import * as View from "../View.ts"
import * as Prd from "./Prd.ts"
import * as PrdJson from "./PrdJson.ts"
import * as PrdVersions from "./PrdVersions.ts"
import * as Saving from "./Saving.ts"
import * as TaskFile from "./TaskFile.ts"

/** The command `/accept`, and the question after an answer. */
export interface Acceptance {
  readonly command: SlashCommand
  /** Says that a document looks like a PRD, and how to save it. */
  readonly ask: (session: Session, doubtful: PrdVersions.Doubtful) => Effect.Effect<void>
}

/** `saved` is called after an acceptance is stored, with the position moved to it. */
export const make = (saved: (session: Session) => Effect.Effect<Next, SessionFailure>): Acceptance => {
  /** The answer whose document the user has seen a review of, and whether the review was of the whole answer. */
  let reviewed: PrdVersions.Acceptance | undefined

  const ask: Acceptance["ask"] = ({ view }, { doubt, node, prd }) => {
    reviewed = { answer: node, isWhole: false }
    const text = [
      `That looks like a PRD, but ${reasons[doubt]}. It is not saved.`,
      describe(prd),
      offer(prd, "/accept"),
    ]
    return view.show(View.Entry.Noted({ text: text.join("\n") }))
  }

  const accept = (session: Session, isWhole: boolean) =>
    Effect.gen(function* () {
      const { forest, view } = session
      const at = yield* session.cursor
      if (at === undefined) return yield* noAnswer
      const { nodes } = yield* readTail(forest, at, TAIL_NODES, (nodes) => findAnswer(nodes, isWhole) !== undefined)
      const answer = findAnswer(nodes, isWhole)
      const prd = answer && PrdVersions.acceptedDocument(answer, isWhole)
      if (answer === undefined || prd === undefined) return yield* isWhole ? noAnswer : nothingAlike
      if (!isWhole && isVersion(nodes, answer, prd)) {
        yield* view.show(
          View.Entry.Noted({ text: "The PRD of that answer is saved already; /accept all saves all of it" }),
        )
        return "continue" as const
      }
      const acceptance = { answer: answer.id, isWhole }
      if (view.isInteractive && !(reviewed?.answer === answer.id && reviewed.isWhole === isWhole)) {
        reviewed = acceptance
        const text = [describe(prd), offer(prd, isWhole ? "/accept all" : "/accept", "again ")]
        yield* view.show(View.Entry.Noted({ text: text.join("\n") }))
        return "continue" as const
      }
      const [notice] = yield* forest.append(at, [PrdVersions.acceptance(acceptance)])
      if (notice !== undefined) yield* session.moveTo(notice.id)
      return yield* saved(session)
    })

  return {
    ask,
    command: {
      name: "accept",
      argument: "[all]",
      summary: "Save the last answer that looks like a PRD, or all of the last answer",
      run: (session, argument) =>
        argument === "" || argument === "all"
          ? accept(session, argument === "all")
          : Effect.fail(new UsageError({ message: "/accept takes nothing, or the word all" })),
    },
  }
}

/** The document that is likely to be a PRD in the last answer, unless the user has accepted that answer. */
export const doubtfulAt = (nodes: ReadonlyArray<Node>): PrdVersions.Doubtful | undefined => {
  const answer = nodes.findLast(({ message }) => message.role === "assistant")
  return answer === undefined || isAccepted(nodes, answer.id) ? undefined : PrdVersions.doubtfulIn(answer)
}

const isAccepted = (nodes: ReadonlyArray<Node>, answer: NodeId): boolean =>
  nodes.some((node) => PrdVersions.readAcceptance(node)?.answer === answer)

const findAnswer = (nodes: ReadonlyArray<Node>, isWhole: boolean): Node | undefined =>
  nodes.findLast(
    (node) =>
      isAnswer(node) &&
      (isWhole ||
        PrdVersions.doubtfulIn(node) !== undefined ||
        PrdVersions.acceptedDocument(node, false) !== undefined),
  )

const isAnswer = ({ message }: Node): boolean =>
  message.role === "assistant" && Message.toolUses(message).length === 0 && Message.text(message).trim() !== ""

const isVersion = (nodes: ReadonlyArray<Node>, answer: Node, prd: Prd.Prd): boolean =>
  PrdVersions.versions(nodes).some(
    (version) => version.node === answer.id && version.isUnclosed !== true && version.prd.content === prd.content,
  )

const reasons: Readonly<Record<Prd.Doubt, string>> = {
  unclosed: "its end mark [/PRD] is missing",
  "cut off": "the answer ended before it was complete",
  fenced: "it is a code block among other words, as an example would be",
  unmarked: "it is not marked as one",
}

/** Describes a document: `Dark Mode: 42 lines, 3 user stories, from "# PRD: Dark Mode" to "- [ ] It stays"`. */
const describe = (prd: Prd.Prd): string => {
  const lines = fileText(prd)
    .split("\n")
    .filter((line) => line.trim() !== "")
  const stories = TaskFile.countStories(PrdJson.userStories(prd.content).length)
  const ends = [lines[0], lines.at(-1)].map((line = "") => `"${shorten(line.trim())}"`)
  return `${sanitizeLine(prd.name)}: ${plural(lines.length, "line")}, ${stories}, from ${ends.join(" to ")}`
}

const shorten = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)

/** The most characters of a quoted line, so that a review fits on few lines of a terminal. */
const MAX_LINE = 60

const offer = (prd: Prd.Prd, command: string, again = ""): string =>
  `${command} ${again}saves it as ${fileNames(prd)[0]}; anything else goes on.`

const noAnswer = new UsageError({ message: "there is no answer yet that could be saved" })

const nothingAlike = new UsageError({
  message: "no answer looks like a PRD; /accept all saves the last answer as it is",
})

/** The number of nodes that are read at first: more than most answers have. */
const TAIL_NODES = 20

/** The content without control sequences and invisible characters. */
export const fileText = ({ content }: Prd.Prd): string => `${sanitize(content).trim()}\n`

/** The fileNames that the file may have, the preferred one first. */
export const fileNames = ({ name }: Prd.Prd): ReadonlyArray<string> =>
  Saving.numberedNames(Prd.fileName(sanitize(name)))
