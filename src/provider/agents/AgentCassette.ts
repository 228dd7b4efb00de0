/** Exchanges with programs that answer as models do, on the cassettes of those with servers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Agent from "../../model/Agent.ts"
import { ModelError, ProgramFailed, type Reason } from "../../model/ModelError.ts"
import * as Cassette from "../transport/Cassette.ts"
import { inTurns } from "../transport/eventLoop.ts"
import * as Redaction from "../transport/redaction.ts"

/** `keep` is told of every answer once it is over, also of one that failed or was broken off; without `secrets`. */
export const recording = (keep: (exchange: Cassette.Exchange) => void, secrets: ReadonlyArray<string> = []) => {
  const kept = Redaction.without(secrets)
  return (agent: Agent.Service): Agent.Service => ({
    ...agent,
    ask: (prompt, asking) =>
      Stream.suspend(() => {
        const said = { Stdout: kept.collect("answered"), Stderr: kept.collect("asked") }
        return agent.ask(prompt, asking).pipe(
          Stream.tap(({ _tag, text }) =>
            Effect.sync(() => {
              said[_tag].add(text)
            }),
          ),
          Stream.ensuringWith((exit) =>
            Effect.promise(async () => {
              const { code, failure } = endOf(exit)
              const [body, stderr] = [await inTurns(said.Stdout.end()), await inTurns(said.Stderr.end())]
              keep({
                request: requestOf(agent, prompt, asking, kept),
                response: {
                  status: code,
                  headers: {},
                  body,
                  ...(stderr !== "" && { stderr }),
                },
                ...(failure !== undefined && { failure: kept.asked(failure) }),
              })
            }),
          ),
        )
      }),
  })
}

/** Answers with what was recorded for the very same prompt; the program is not started, and need not be there. */
export const replaying = (exchanges: ReadonlyArray<Cassette.Exchange>, secrets: ReadonlyArray<string> = []) => {
  const find = Cassette.finder(exchanges)
  const kept = Redaction.without(secrets)
  return (agent: Agent.Service): Agent.Service => {
    const failed = (reason: Reason) => new ModelError({ model: String(agent.id), reason })
    return {
      ...agent,
      ready: Effect.void,
      ask: (prompt, asking) =>
        Stream.suspend(() => {
          const found = find(requestOf(agent, prompt, asking, kept))
          if (Either.isLeft(found)) return Stream.fail(failed(found.left))
          const { failure, response } = found.right
          const { body = "", status: code = 1, stderr = "" } = response ?? {}
          const said = [Agent.Output.Stderr({ text: stderr }), Agent.Output.Stdout({ text: body })]
          return Stream.concat(
            Stream.fromIterable(said.filter(({ text }) => text !== "")),
            failure === undefined ? Stream.empty : Stream.fail(failed(new ProgramFailed({ message: failure, code }))),
          )
        }),
    }
  }
}

/** Where it ran is not told: a recording is for other machines. */
const requestOf = (
  agent: Agent.Service,
  prompt: string,
  { flags = [] }: Agent.Asking = {},
  { asked }: Redaction.Redaction,
): Cassette.Exchange["request"] => ({
  method: "RUN",
  path: asked([String(agent.id), ...flags].join(" ")),
  body: asked(prompt),
})

/** An end that no program told has the code 1. */
const endOf = (
  exit: Exit.Exit<unknown, ModelError>,
): { readonly code: number; readonly failure: string | undefined } => {
  if (Exit.isSuccess(exit)) return { code: 0, failure: undefined }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return { code: 1, failure: "the rest was not wanted" }
  const { reason } = error
  return { code: (reason._tag === "ProgramFailed" ? reason.code : undefined) ?? 1, failure: reason.message }
}
