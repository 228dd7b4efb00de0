/** Runs the tools that a reply calls. */
import * as Effect from "effect/Effect"
import { mapInParallel } from "../../base/concurrency.ts"
import { makeMutex } from "../../base/mutex.ts"
import type * as Block from "../../message/Block.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"
import { type Sink, TurnEvent } from "../TurnEvent.ts"

/** The most read-only tools that run at a time. */
const CONCURRENCY = 8

export type Results = Map<Block.ToolUse, ToolResult.ToolResult>

/** Sets the result of each call in `results`, even of calls that end before an interrupt. */
export const executeCalls = (
  tools: ToolRegistry.Service,
  { node, model }: { readonly node: NodeId; readonly model: ModelId },
  calls: ReadonlyArray<Block.ToolUse>,
  results: Results,
  report: Sink,
) => {
  const executeCall = (call: Block.ToolUse, report: Sink) =>
    Effect.gen(function* () {
      yield* report(TurnEvent.ToolStarted({ call }))
      const context = { node, callId: call.id, model }
      const result = yield* tools.execute(call, context)
      results.set(call, result)
      yield* report(TurnEvent.ToolFinished({ call, result }))
    })
  return Effect.gen(function* () {
    for (const [first, ...others] of concurrentGroups(calls, tools)) {
      // A single call needs no fiber of its own.
      if (others.length === 0) yield* executeCall(first, report)
      else {
        const exclusively = makeMutex()
        const oneAtATime: Sink = (event) => exclusively(report(event))
        yield* mapInParallel([first, ...others], (call) => executeCall(call, oneAtATime), CONCURRENCY)
      }
    }
  })
}

type Group = [first: Block.ToolUse, ...others: Array<Block.ToolUse>]

/**
 * Groups calls. Adjacent calls of read-only tools form a group that runs concurrently; every other call is a group of
 * its own.
 */
const concurrentGroups = (
  calls: ReadonlyArray<Block.ToolUse>,
  { tools }: ToolRegistry.Service,
): ReadonlyArray<Group> => {
  // A tool that is unknown now may be there when an earlier call of the reply has run, and it may change something.
  const readers = new Set(tools.filter((tool) => tool.readOnly).map((tool) => tool.name))
  const groups: Array<Group> = []
  let reading = false
  for (const call of calls) {
    const reads = readers.has(call.name)
    const group = groups.at(-1)
    if (reads && reading && group !== undefined) group.push(call)
    else groups.push([call])
    reading = reads
  }
  return groups
}
