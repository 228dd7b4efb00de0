/** Sinks that handle one kind of event, for tests. */
import { Effect } from "effect"
import type { Sink, TurnEvent } from "../../src/agent/TurnEvent.ts"
import type { Node } from "../../src/forest/Node.ts"
import type { Part } from "../../src/model/Reply.ts"

type Of<Tag extends TurnEvent["_tag"]> = Extract<TurnEvent, { readonly _tag: Tag }>

export const onPart =
  (handle: (part: Part) => Effect.Effect<unknown>): Sink =>
  (event) =>
    event._tag === "PartReceived" ? Effect.asVoid(handle(event.part)) : Effect.void

export const onNode =
  (handle: (node: Node) => Effect.Effect<unknown>): Sink =>
  (event) =>
    event._tag === "NodeStored" ? Effect.asVoid(handle(event.node)) : Effect.void

export const onToolStarted =
  (handle: (call: Of<"ToolStarted">["call"]) => Effect.Effect<unknown>): Sink =>
  (event) =>
    event._tag === "ToolStarted" ? Effect.asVoid(handle(event.call)) : Effect.void

export const onToolFinished =
  (handle: (finished: Of<"ToolFinished">) => Effect.Effect<unknown>): Sink =>
  (event) =>
    event._tag === "ToolFinished" ? Effect.asVoid(handle(event)) : Effect.void
