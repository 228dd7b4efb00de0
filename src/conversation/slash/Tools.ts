/** `/tools`: shows or changes the tools of the model. */
import * as Effect from "effect/Effect"
import { endWith } from "../../base/concurrency.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import { cannotUseTools, isAgent } from "../OfferedTools.ts"
import type { Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** The tools and tool servers that `/tools on` gives to the model. */
export interface Offered {
  /** Opens the tools of vibe. */
  readonly tools: Effect.Effect<ToolRegistry.Service, SessionFailure>
  readonly servers: ToolServers.Service
}

export const tools = (offered: Offered): SlashCommand => ({
  name: "tools",
  argument: "[on|off]",
  summary: "Show the model's tools, give it some, or take them away",
  run: (session, words) =>
    Effect.as(
      words === "on"
        ? switchOn(session, offered)
        : words === "off"
          ? switchOff(session, offered)
          : words === ""
            ? list(session, offered)
            : new UsageError({ message: "/tools takes 'on' or 'off', or nothing" }),
      "continue" as const,
    ),
})

/**
 * Gives the model the tools. Without a user it waits until the tool servers have started. Otherwise it waits for a
 * second, after which they go on starting.
 */
const switchOn = Effect.fnUntraced(function* (session: Session, { servers, tools }: Offered) {
  const { change, serve, view } = session
  const { id } = yield* session.model
  if (isAgent(id)) return yield* new UsageError({ message: cannotUseTools(id) })
  const own = yield* tools
  yield* serve(undefined)
  yield* change({ tools: own })
  const opened = view.isInteractive
    ? yield* servers.open.pipe(endWith(Effect.as(Effect.sleep(ToolServers.PATIENCE), undefined)))
    : yield* ToolServers.openAnnounced(servers, (text) => view.show(View.Entry.Noted({ text })))
  if (opened === undefined) {
    yield* view.show(View.Entry.Noted({ text: summary(own, own, []) }))
    return yield* serve(servers)
  }
  const joined = ToolServers.join(own, { ...opened, costs: [] })
  yield* change({ tools: joined })
  yield* view.show(View.Entry.Noted({ text: [summary(joined, own, opened.tools), ...joined.notes].join("\n") }))
})

/** Describes the tools: `tools are on: 7 of vibe, 13 of every (about 1,500 tokens a request)`. */
const summary = (
  { tools }: ToolRegistry.Service,
  own: ToolRegistry.Service,
  served: ReadonlyArray<ToolServers.ServedTool>,
): string => {
  const byServer = Map.groupBy(
    served.filter((one) => tools.some(({ name }) => ToolServers.namesFor(one).includes(name))),
    ({ server }) => server,
  )
  const counts = [
    `${own.tools.length} of vibe`,
    ...Array.from(byServer, ([name, { length }]) => `${length} of ${name}`),
  ]
  return `tools are on: ${counts.join(", ")} (${ToolServers.describeTokens(tools)} a request)`
}

const switchOff = Effect.fnUntraced(function* ({ change, serve, view }: Session, { servers }: Offered) {
  yield* serve(undefined)
  yield* change({ tools: ToolRegistry.make([]) })
  yield* servers.close
  yield* view.show(View.Entry.Noted({ text: NO_TOOLS }))
})

const NO_TOOLS = "the model has no tools; /tools on gives it some"

const list = Effect.fnUntraced(function* ({ tools, view }: Session, { servers }: Offered) {
  const offered = yield* Effect.flatMap(tools, ToolRegistry.latestTools)
  const lines = [
    ...offered.map(({ description, name }) => `${name}: ${firstSentence(description)}`),
    ...(yield* servers.starting).map((name) => `tool server ${name} is starting`),
  ]
  yield* view.show(View.Entry.Noted({ text: lines.length === 0 ? NO_TOOLS : lines.join("\n") }))
})

/**
 * Returns the text up to the first full stop that ends a sentence outside parentheses, on one line, and no longer than
 * a few lines.
 */
export const firstSentence = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  let depth = 0
  for (const { 0: sign, index } of line.matchAll(/[()]|(?<!\be\.g|\bi\.e|\betc)\.(?= |$)/g)) {
    if (sign === ".") {
      if (depth <= 0) return cut(line.slice(0, index + 1))
    } else depth += sign === "(" ? 1 : -1
  }
  return cut(line)
}

const cut = (text: string): string =>
  text.length <= MAX_SENTENCE
    ? text
    : `${text
        .slice(0, MAX_SENTENCE - 1)
        .trimEnd()
        .toWellFormed()}…`

/** The most characters of a description that are shown. */
const MAX_SENTENCE = 200
