/**
 * A conversation about a Product Requirements Document. Each version that the model gives is saved at once, and offered
 * for review. A text that only looks like one is saved when the user accepts it. Any message except a number from the
 * list of choices continues the conversation.
 */

import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Summary from "../../agent/Summary.ts"
import * as unifiedDiff from "../../base/unifiedDiff.ts"
import * as Files from "../../code/Files.ts"
import { readTail } from "../../forest/ForestService.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Destination } from "../Destination.ts"
import * as Acceptance from "../prd/Acceptance.ts"
import { fileNames, fileText } from "../prd/Acceptance.ts"
import * as Beads from "../prd/Beads.ts"
import * as Issues from "../prd/Issues.ts"
import type { Prd } from "../prd/Prd.ts"
import * as PrdJson from "../prd/PrdJson.ts"
import * as PrdVersions from "../prd/PrdVersions.ts"
import * as Review from "../prd/Review.ts"
import * as Saving from "../prd/Saving.ts"
import * as TaskFile from "../prd/TaskFile.ts"
import type { Next, Session } from "../Session.ts"
import type { SessionMode } from "../SessionMode.ts"
import * as UserMessages from "../UserMessages.ts"
import * as View from "../View.ts"
import * as Chat from "./Chat.ts"

export interface Options extends Chat.Options {
  /** The user's project folder, which may contain `.beads`. */
  readonly project: string
  /** The folder that files are written to. */
  readonly destination: Destination
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const opening = yield* Chat.openBackend(options)
  const { displayPath: named, output } = options.destination
  const files = yield* Files.Files
  const beads = yield* Beads.Beads
  const project = yield* files.realPath(options.project)
  const state: State = { openedAt: undefined, reviews: new Map(), written: new Map() }

  const hasBeads = Effect.match(files.stat(Path.join(project, ".beads")), {
    onFailure: () => false,
    onSuccess: ({ kind }) => kind === "folder",
  })

  /** Saves to a new file, or to one that this conversation has written. */
  const saveFile = Effect.fnUntraced(function* ({ top }: Conversation, { contentKind, ...paper }: Written) {
    const classify = (path: string, there: string): Saving.ContentKind => {
      const held = contentKind(there)
      const known = state.written.get(path)
      return held === "foreign" && known?.top === top && known?.text === there ? "ours" : held
    }
    const saved = yield* Saving.save({ ...paper, output, classify })
    if (saved.how !== "left") state.written.set(saved.path, { top, text: paper.text })
    return saved
  })

  /**
   * Saves the document to its file. If it was saved before and the user has changed the file since, it is not saved
   * again.
   */
  const save = Effect.fnUntraced(function* ({ view }: Session, conversation: Conversation, prd: Prd) {
    const text = fileText(prd)
    const earlier = new Set(conversation.versions.map(({ prd }) => fileText(prd)))
    const saved = yield* saveFile(conversation, {
      names: fileNames(prd),
      text,
      contentKind: (there) => (there === text ? "same" : earlier.has(there) ? "ours" : "foreign"),
      mayAdd: !conversation.isOld,
    })
    const { before, how, passed, path } = saved
    if (how === "left") {
      yield* view.show(note(`The PRD is kept in this conversation; ${passed.map(named)[0]} holds something else.`))
      return undefined
    }
    yield* view.show(note(`PRD saved to: ${named(path)}${outcomeText[how]}${Saving.skippedText(passed.map(named))}`))
    if (before !== undefined) {
      const diff = unifiedDiff.unifiedDiff({ name: path, text: before }, { name: path, text }) ?? ""
      yield* view.show(View.Entry.Printed({ text: diff, form: "diff" }))
    }
    return path
  })

  const offer = Effect.fnUntraced(function* ({ view }: Session, review: Review.Review) {
    state.reviews.set(review.at, review)
    yield* view.show(note(Review.offerText(review)))
  })

  const offerReview = Effect.fnUntraced(function* (session: Session) {
    const at = yield* session.cursor
    if (at === undefined) return proceed
    const { doubtful, prd } = yield* documentsAt(session, at)
    if (prd !== undefined) yield* saveAndOffer(session, at, prd)
    else yield* offerAgain(session, at)
    if (doubtful !== undefined) yield* acceptance.ask(session, doubtful)
    return proceed
  })

  const saveAndOffer = Effect.fnUntraced(function* (session: Session, at: NodeId, prd: Prd) {
    const path = yield* save(session, yield* conversationAt(session, at, state.openedAt === at), prd).pipe(
      Effect.tapError(() =>
        session.view.show(note("The PRD is kept in this conversation: vibe prd --show prints it.")),
      ),
    )
    const left: ReadonlyArray<Review.Choice> = ["json", ...((yield* hasBeads) ? (["beads"] as const) : []), "done"]
    yield* offer(session, { at, prd, path, left })
  })

  /** Offers the last PRD above an answer without one. */
  const offerAgain = Effect.fnUntraced(function* (session: Session, at: NodeId) {
    const { reviews } = state
    const reviewAt = ({ id }: Node) => reviews.has(id)
    if (reviews.size > 0) {
      const { nodes } = yield* readTail(session.forest, at, TAIL_NODES, (nodes) => nodes.some(reviewAt))
      const last = nodes.findLast(reviewAt)
      const review = last && reviews.get(last.id)
      if (review !== undefined) return yield* offer(session, { ...review, at })
    }
    if (state.openedAt !== at) return
    const { nodes } = yield* readTail(session.forest, at, TAIL_NODES, Summary.hasWhole)
    const version = PrdVersions.versions(nodes).findLast(({ isUnclosed }) => isUnclosed !== true)
    if (version !== undefined) yield* saveAndOffer(session, at, version.prd)
  })

  const acceptance = Acceptance.make(offerReview)

  /** Reads the content of the file, with the user's changes. */
  const contentOf = ({ path, prd }: Review.Review) =>
    path === undefined ? Effect.succeed(fileText(prd)) : Effect.map(output.read(path), (text) => text ?? fileText(prd))

  const writeJson = Effect.fnUntraced(function* ({ session, review, content, conversation }: Picked) {
    const createdAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const json = PrdJson.make(content, { createdAt, sourcePrd: review.path && named(review.path) })
    const earlier = conversation.versions.map(({ prd }) => fileText(prd))
    const saved = yield* saveFile(conversation, {
      names: TaskFile.names(json.name),
      text: TaskFile.text(json),
      contentKind: TaskFile.makeClassifier(content, earlier),
    })
    const stories = TaskFile.countStories(json.userStories.length)
    const { how, passed, path } = saved
    const text = `JSON saved to: ${named(path)}, ${stories}${outcomeText[how]}${Saving.skippedText(passed.map(named))}`
    yield* session.view.show(note([text, ...PrdJson.problems(content)].join("\n")))
  })

  /** Records the created issues in the conversation, even if others fail, so that none is created twice. */
  const makeIssues = Effect.fnUntraced(function* ({ session, content, conversation, review }: Picked) {
    const document = fileNames(review.prd)[0] ?? ""
    const made = Issues.readRecord(document, conversation.nodes)
    const known = Issues.count(made)
    const written = Effect.suspend(() =>
      Issues.count(made) === known ? Effect.void : appendNotice(session, review, Issues.record(document, made)),
    )
    const stories = PrdJson.userStories(content)
    const lacking = Issues.storiesWithoutIssue(stories, made).length
    const making = [`Making Beads issues of ${TaskFile.countStories(lacking)}...`, ...PrdJson.problems(content)]
    if (lacking > 0) yield* session.view.show(note(making.join("\n")))
    const creation = Effect.provideService(Issues.make(stories, made), Beads.Beads, beads)
    const exit = yield* Effect.exit(Effect.onInterrupt(creation, () => Effect.ignoreLogged(written)))
    yield* written
    const issues = yield* exit
    const text = issues.length === 0 ? "All of them are Beads issues already." : `Beads issues: ${issues.join(", ")}`
    yield* session.view.show(note(text))
  })

  /** Adds a notice below the answer, and moves the conversation and the review to it. */
  const appendNotice = Effect.fnUntraced(function* (
    { forest, moveTo: move }: Session,
    review: Review.Review,
    notice: Draft,
  ) {
    const [node] = yield* forest.append(review.at, [notice])
    if (node === undefined) return
    yield* move(node.id)
    state.reviews.set(node.id, { ...review, at: node.id })
  })

  const pick = Effect.fnUntraced(function* (session: Session, review: Review.Review, choice: Review.Choice) {
    if (choice === "done") return "exit" as const
    const isLacking = choice === "beads" && !(yield* hasBeads)
    if (isLacking) yield* session.view.show(note(Review.needsBeads))
    // If a tracker was set up in the meantime, its issues can still be made.
    if (isLacking || (choice === "json" && !review.left.includes(choice))) {
      yield* offer(session, review)
      return proceed
    }
    const content = yield* contentOf(review)
    if (PrdJson.userStories(content).length === 0) {
      yield* session.view.show(note("No user stories were found in it: ask for some, or write them into the file."))
      yield* offer(session, review)
      return proceed
    }
    const conversation = yield* conversationAt(session, review.at, false)
    const make = choice === "json" ? writeJson : makeIssues
    yield* make({ session, review, content, conversation })
    // The record of the issues is a notice below the answer.
    const at = (yield* session.cursor) ?? review.at
    yield* offer(session, { ...review, at, left: review.left.filter((left) => left !== choice) })
    return proceed
  })

  const mode: SessionMode = {
    owner: options.owner,
    takesPictures: true,
    open: (place) => {
      state.openedAt = place.from
      return opening(place)
    },
    commands: [acceptance.command],
    onReply: () => Effect.succeed(proceed),
    onIdle: offerReview,
    handleInput: (text, session) =>
      Effect.flatMap(session.cursor, (at) => {
        const review = at === undefined ? undefined : state.reviews.get(at)
        const choice = Review.parseChoice(text)
        return review === undefined || choice === undefined ? Effect.succeed(undefined) : pick(session, review, choice)
      }),
  }
  return mode
})

interface State {
  /** The node at which the conversation was opened. */
  openedAt: NodeId | undefined
  /** The reviews that were offered, by the position at which each was offered. */
  readonly reviews: Map<NodeId, Review.Review>
  /**
   * The last text that was written to a file, and the conversation that wrote it: the branches of a conversation share
   * their files.
   */
  readonly written: Map<string, { readonly top: NodeId | undefined; readonly text: string }>
}

/** The conversation up to a position. */
interface Conversation {
  /** The first message of the conversation. */
  readonly top: NodeId | undefined
  readonly nodes: ReadonlyArray<Node>
  readonly versions: ReadonlyArray<PrdVersions.Version>
  /** True if it was opened here, and no message was sent since. */
  readonly isOld: boolean
}

type Written = Omit<Saving.Options, "output" | "classify"> & {
  readonly contentKind: (there: string) => Saving.ContentKind
}

interface Picked {
  readonly session: Session
  readonly review: Review.Review
  readonly content: string
  readonly conversation: Conversation
}

/** The number of nodes of a path that are read at first. */
const TAIL_NODES = 20

const proceed: Next = "continue"

const note = (text: string): View.Entry => View.Entry.Noted({ text })

const outcomeText: Readonly<Record<Saving.SavedFile["how"], string>> = {
  made: "",
  replaced: " (updated)",
  unchanged: " (unchanged)",
  left: "",
}

/** Reads the whole path, so it is called only if there is a PRD. */
const conversationAt = ({ forest }: Session, at: NodeId, isOld: boolean) =>
  Effect.map(
    forest.path(at),
    ({ nodes }): Conversation => ({ top: nodes[0]?.id, nodes, versions: PrdVersions.versions(nodes), isOld }),
  )

/**
 * Returns the PRD of the answer that ends at the node, or of the answer that the user has accepted there, and any text
 * that may be a PRD.
 */
const documentsAt = ({ forest }: Session, at: NodeId) =>
  Effect.gen(function* () {
    const nodes = yield* UserMessages.answer(forest, at)
    const accepted = nodes.map(PrdVersions.readAcceptance).findLast((acceptance) => acceptance !== undefined)
    const isEarlier = accepted !== undefined && !nodes.some(({ id }) => id === accepted.answer)
    const last = PrdVersions.versions(isEarlier ? (yield* forest.path(at)).nodes : nodes).at(-1)
    return { prd: last?.isUnclosed === true ? undefined : last?.prd, doubtful: Acceptance.doubtfulAt(nodes) }
  })
