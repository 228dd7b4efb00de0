/** Records and replays exchanges with agent programs, in the format of `Cassette`. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Agent from "../../model/Agent.ts"
import { ModelError, ProgramFailed, type Reason } from "../../model/ModelError.ts"
import * as Cassette from "../transport/Cassette.ts"
import * as Redaction from "../transport/redaction.ts"

/** Calls `keep` with every finished answer, including failed and interrupted ones. `secrets` are redacted. */
export const record = (keep: (exchange: Cassette.Exchange) => void, secrets: ReadonlyArray<string> = []) => {
  const kept = Redaction.makeRedaction(secrets)
  return (agent: Agent.Service): Agent.Service => ({
    ...agent,
    ask: (prompt, asking) =>
      Stream.suspend(() => {
        const said = { Stdout: "", Stderr: "" }
        return agent.ask(prompt, asking).pipe(
          Stream.tap(({ _tag, text }) =>
            Effect.sync(() => {
              said[_tag] += text
            }),
          ),
          Stream.ensuringWith((exit) =>
            Effect.sync(() => {
              const { code, failure } = endOf(exit)
              keep({
                request: requestOf(agent, prompt, asking, kept),
                response: {
                  status: code,
                  headers: {},
                  body: kept.redactResponse(said.Stdout),
                  ...(said.Stderr !== "" && { stderr: kept.redactRequest(said.Stderr) }),
                },
                ...(failure !== undefined && { failure: kept.redactRequest(failure) }),
              })
            }),
          ),
        )
      }),
  })
}

/** Answers from a recording of the identical prompt; the program is not started and need not be installed. */
export const replay = (exchanges: ReadonlyArray<Cassette.Exchange>, secrets: ReadonlyArray<string> = []) => {
  const find = Cassette.makeFinder(exchanges)
  const kept = Redaction.makeRedaction(secrets)
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

/** Without the working directory, since recordings are used on other machines. */
const requestOf = (
  agent: Agent.Service,
  prompt: string,
  { flags = [] }: Agent.Asking = {},
  { redactRequest: asked }: Redaction.Redaction,
): Cassette.Exchange["request"] => ({
  method: "RUN",
  path: asked([String(agent.id), ...flags].join(" ")),
  body: asked(prompt),
})

/** The exit code; 1 where the program did not give one. */
const endOf = (
  exit: Exit.Exit<unknown, ModelError>,
): { readonly code: number; readonly failure: string | undefined } => {
  if (Exit.isSuccess(exit)) return { code: 0, failure: undefined }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return { code: 1, failure: "the rest was not wanted" }
  const { reason } = error
  return { code: (reason._tag === "ProgramFailed" ? reason.code : undefined) ?? 1, failure: reason.message }
}
