/** `vibe show --why`: how a model came to write the purpose of a symbol. */
import * as Effect from "effect/Effect"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { plural, timeOf } from "../../base/Prose.ts"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { wrap, wrapHanging } from "../../base/wrap.ts"
import * as PurposeCheck from "../../explore/PurposeCheck.ts"
import * as SentSymbol from "../../explore/SentSymbol.ts"
import * as Forest from "../../forest/Forest.ts"
import { ForestError, NotFound } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import * as SymbolText from "../../lookup/SymbolText.ts"
import * as Message from "../../message/Message.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as CreateIndexEntry from "../../toolbox/CreateIndexEntry.ts"

/** The conversation up to the message that wrote a purpose, and the results of its tool calls. */
interface Conversation {
  /** The last one wrote the purpose. */
  readonly path: ReadonlyArray<Node>
  readonly results: ReadonlyArray<Node>
}

const conversation = Effect.fn("PurposeExchange.conversation")(function* (entry: IndexEntry) {
  const node = entry.purpose?.node
  if (node === undefined) return { path: [], results: [] } satisfies Conversation
  const forest = yield* Forest.Forest
  const { nodes } = yield* forest.path(NodeId.make(node))
  const results: Array<Node> = []
  // Each result of an answer with several calls is below the one before it.
  for (let at = nodes.at(-1); at !== undefined; ) {
    const [next]: ReadonlyArray<Node> = yield* forest.children(at.id)
    at = next?.message.role === "tool" ? next : undefined
    if (at !== undefined) results.push(at)
  }
  return { path: nodes, results } satisfies Conversation
})

/**
 * The field `exchange` of `--json`, oldest first: the message before the one that wrote the purpose, that one, and the
 * first result of a tool; null if the conversation is not in this forest.
 */
export const toJson = (entry: IndexEntry) =>
  conversation(entry).pipe(
    Effect.map(({ path, results }) => ({ exchange: [...path.slice(-2), ...results.slice(0, 1)] })),
    Effect.catchIf(isElsewhere, () => Effect.succeed({ exchange: null })),
  )

export interface Format {
  readonly style: Style
  readonly columns: number
  /** The lines of the source that bear the purpose out, as they are printed. */
  readonly evidence: ReadonlyArray<string>
}

/**
 * Formats only what concerns this symbol: when it was written and by which model, its source as it was sent, its line
 * of the answer, the tool's reply about it, and the command that shows the whole conversation. Prints one line if the
 * conversation is not in this forest.
 */
export const toText = Effect.fn("PurposeExchange.toText")(function* (entry: IndexEntry, format: Format) {
  const { columns, evidence } = format
  const say = (text: string) => ["", ...wrap(text, columns - 2).map((line) => `  ${line}`)]
  // The heading already says that there is no purpose.
  if (entry.purpose === undefined) return []
  const { model, node, origin } = entry.purpose
  if (origin === "comment") return say("no model wrote this: it is the symbol's comment")
  return yield* conversation(entry).pipe(
    Effect.flatMap((conversation) => describe(entry, conversation, format)),
    Effect.catchIf(isElsewhere, () =>
      Effect.succeed([
        ...evidence,
        ...say(sanitizeLine(`${model} wrote this in a conversation that is not kept here (node ${node})`)),
      ]),
    ),
  )
})

const describe = Effect.fnUntraced(function* (entry: IndexEntry, conversation: Conversation, format: Format) {
  const { columns, evidence, style } = format
  const written = find(entry, conversation)
  const { answer, claim, request, result, sent } = written
  const shortId = yield* NodeName.shortNames([answer, request].flatMap((node) => (node === undefined ? [] : [node.id])))
  const block = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0
      ? []
      : [
          "",
          `  ${style.quiet(title)}`,
          ...lines.flatMap((line) => wrapHanging(line, columns - 4, HANGING)).map((line) => `    ${line}`.trimEnd()),
        ]
  const whole = [
    ...(request === undefined ? [] : [`request: vibe loom show ${shortId(request.id)}`]),
    ...(answer === undefined ? [] : [`answer:  vibe loom show ${shortId(answer.id)}`]),
  ]
  return [
    ...block("written", [writtenLine(entry, written)]),
    ...block(sentTitle(entry, written), sent === undefined ? [] : [...headOf(sent.lines), ...beforeOf(sent)]),
    ...block("the model's answer", claim === undefined ? [] : [claimLine(claim)]),
    ...block("the tool's result", result),
    ...evidence,
    ...block("all of it", whole),
  ]
})

/** The columns by which a wrapped line is indented. */
const HANGING = 2

type Claim = ReturnType<typeof CreateIndexEntry.readClaims>[number]

/** The parts of a conversation that concern one symbol. */
interface Written {
  /** The message that wrote the purpose, and the one that asked for it; undefined in a conversation without it. */
  readonly answer: Node | undefined
  readonly request: Node | undefined
  /** Undefined if the answer has no entry with that purpose. */
  readonly claim: Claim | undefined
  readonly number: number | undefined
  readonly sent: SentSymbol.SentSymbol | undefined
  /** The lines of the tool's result. */
  readonly result: ReadonlyArray<string>
}

const find = (entry: IndexEntry, { path, results }: Conversation): Written => {
  const answer = path.at(-1)
  const requests = path.filter(({ message }) => message.role === "user").toReversed()
  const calls = answer === undefined ? [] : Message.toolUses(answer.message)
  const sentAs = (number: number | undefined) => {
    if (number === undefined) return undefined
    for (const request of requests) {
      const sent = SentSymbol.find(Message.text(request.message), number)
      if (sent !== undefined) return { request, sent }
    }
    return undefined
  }
  const found = calls
    .flatMap((call) => CreateIndexEntry.readClaims(call.parameters).map((claim) => ({ call, claim })))
    .filter(({ claim }) => PurposeCheck.toStored(claim.purpose) === entry.purpose?.text)
    .map(({ call, claim }) => {
      const number = numberOf(claim)
      return { call, claim, number, ...sentAs(number) }
    })
  // One sentence may stand for several symbols, and a copy of the source has the purpose of the original.
  const own =
    found.findLast(({ claim, sent }) => isOf(entry, claim, sent)) ??
    found.findLast(({ claim, sent }) => (sent?.path ?? claim.path) === entry.path) ??
    found.at(-1)
  const result = results.find(({ message }) => message.role === "tool" && message.tool_call_id === own?.call.id)
  return {
    answer,
    request: own?.request ?? requests[0],
    claim: own?.claim,
    number: own?.number,
    sent: own?.sent,
    result: result === undefined ? [] : resultLines(Message.text(result.message), entry, own?.number),
  }
}

const numberOf = ({ symbol }: Claim): number | undefined => {
  const digits = /^§?\s*([1-9]\d*)(?:[\s:.)]|$)/.exec(symbol)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Returns whether an entry by name names the symbol, or whether the source of an entry by number has its name. */
const isOf = (entry: IndexEntry, claim: Claim, sent: SentSymbol.SentSymbol | undefined): boolean =>
  sent === undefined
    ? (claim.path === undefined || claim.path === entry.path) &&
      (claim.symbol === entry.qualifiedName || claim.symbol === entry.name)
    : sent.path === entry.path && sent.lines.slice(1).some((line) => line.includes(entry.name))

/** The first line, and those about the symbol. */
const resultLines = (text: string, entry: IndexEntry, number: number | undefined): ReadonlyArray<string> => {
  const [first = "", ...others] = sanitize(text).split("\n")
  const isAbout = (line: string) =>
    number === undefined
      ? /^(?:- |refused: )/.test(line) && line.includes(` ${entry.qualifiedName}: `)
      : new RegExp(`^(?:- |refused: )(?:\\S+ )?§?${number}(?!\\d)`).test(line)
  return [first, ...others.filter(isAbout).map((line) => line.replace(/^- /, "weak: "))]
}

/** `2026-11-23 15:22:01Z by google/gemini-2.5-flash, asked: Begin by exploring the codebase at '/repo'.` */
const writtenLine = ({ purpose }: IndexEntry, { answer, request, sent }: Written): string => {
  const when = answer === undefined ? "" : `${timeOf(answer.createdAt)} `
  const model = answer === undefined ? "" : NodeText.maker(answer)
  const asked =
    sent?.batch !== undefined
      ? `, in a batch of ${plural(sent.batch.symbols, "symbol")} from ${sent.batch.area === "." ? "the whole project" : sent.batch.area}`
      : request === undefined
        ? ""
        : `, asked: ${DisplayWidth.cut(sanitize(Message.text(request.message)).split("\n", 1)[0] ?? "", MAX_REQUEST)}`
  return sanitizeLine(`${when}by ${model === "" ? purpose?.model : model}${asked}`)
}

const MAX_REQUEST = 160

/** Formats `sent as §12 of src/retry.ts`. It names another file if that has the same source. */
const sentTitle = (entry: IndexEntry, { number, sent }: Written): string =>
  sanitizeLine(
    `sent as §${number} of ${sent?.path ?? entry.path}${sent === undefined || isSameFile(sent.path, entry.path) ? "" : ", which has the same source"}`,
  )

/** Returns whether the paths name the same file. The message cuts long paths. */
const isSameFile = (sent: string, path: string): boolean =>
  sent === path || (sent.endsWith("…") && path.startsWith(sent.slice(0, -1)))

/** The first lines of the source, and the number of the others. */
const headOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  // The mark is in the title already.
  const source = /^§\d+$/.test(lines[0] ?? "") ? lines.slice(1) : lines
  const left = source.length - MAX_LINES
  const shown = source.slice(0, MAX_LINES).map((line) => sanitize(line).replaceAll("\t", "    "))
  return left > 0 ? [...shown, `… ${plural(left, "line")}`] : shown
}

const MAX_LINES = 40

const beforeOf = ({ before }: SentSymbol.SentSymbol): ReadonlyArray<string> =>
  before === undefined ? [] : [`explained before as ${sanitizeLine(before.replace(/^§\d+ /, ""))}`]

const claimLine = ({ path, purpose, symbol }: Claim): string =>
  SymbolText.cut(
    sanitizeLine(`${path === undefined ? "" : `${path} `}${symbol}: ${purpose}`).replaceAll(/\s+/g, " "),
    MAX_CLAIM,
  )

const MAX_CLAIM = 1_000

const isElsewhere = (error: unknown): boolean => error instanceof ForestError && error.reason instanceof NotFound
