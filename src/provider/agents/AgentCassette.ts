/**
 * Records and replays exchanges with agent programs, in the format of `Cassette`: their answers, without status and
 * usage.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as AgentProgram from "../../model/AgentProgram.ts"
import { ModelError, ProgramFailed, type Reason } from "../../model/ModelError.ts"
import * as Cassette from "../transport/Cassette.ts"
import { runInTurns } from "../transport/eventLoop.ts"
import * as Redaction from "../transport/redaction.ts"

/** Calls `keep` with every finished answer, including failed and interrupted ones. `secrets` are redacted. */
export const record = (keep: (exchange: Cassette.Exchange) => void, secrets: ReadonlyArray<string> = []) => {
  const redaction = Redaction.makeRedaction(secrets)
  return (agent: AgentProgram.Service): AgentProgram.Service => ({
    ...agent,
    ask: (prompt, asking) =>
      Stream.suspend(() => {
        const output = { Stdout: redaction.makeCollector("response"), Stderr: redaction.makeCollector("request") }
        return agent.ask(prompt, asking).pipe(
          Stream.tap((next) =>
            Effect.sync(() => {
              if (next._tag === "Stdout" || next._tag === "Stderr") output[next._tag].add(next.text)
            }),
          ),
          Stream.ensuringWith((exit) =>
            Effect.promise(async () => {
              const { code, failure } = endOf(exit)
              const [body, stderr] = [await runInTurns(output.Stdout.end()), await runInTurns(output.Stderr.end())]
              keep({
                request: requestOf(agent, prompt, asking, redaction),
                response: {
                  status: code,
                  headers: {},
                  body,
                  ...(stderr !== "" && { stderr }),
                },
                ...(failure !== undefined && { failure: redaction.redactRequest(failure) }),
              })
            }),
          ),
        )
      }),
  })
}

/** Answers from a recording of the identical prompt. The program is not started and need not be installed. */
export const replay = (exchanges: ReadonlyArray<Cassette.Exchange>, secrets: ReadonlyArray<string> = []) => {
  const find = Cassette.makeFinder(exchanges)
  const redaction = Redaction.makeRedaction(secrets)
  return (agent: AgentProgram.Service): AgentProgram.Service => {
    const failed = (reason: Reason) => new ModelError({ model: String(agent.id), reason })
    return {
      ...agent,
      ready: Effect.void,
      ask: (prompt, asking) =>
        Stream.suspend(() => {
          const found = find(requestOf(agent, prompt, asking, redaction))
          if (Either.isLeft(found)) return Stream.fail(failed(found.left))
          const { failure, response } = found.right
          const { body = "", status: code = 1, stderr = "" } = response ?? {}
          const outputs = [AgentProgram.Output.Stderr({ text: stderr }), AgentProgram.Output.Stdout({ text: body })]
          return Stream.concat(
            Stream.fromIterable(outputs.filter(({ text }) => text !== "")),
            failure === undefined ? Stream.empty : Stream.fail(failed(new ProgramFailed({ message: failure, code }))),
          )
        }),
    }
  }
}

/** Returns the request to record. Leaves out the working directory, since recordings are used on other machines. */
const requestOf = (
  agent: AgentProgram.Service,
  prompt: string,
  { flags = [] }: AgentProgram.Asking = {},
  { redactRequest }: Redaction.Redaction,
): Cassette.Exchange["request"] => ({
  method: "RUN",
  path: redactRequest([String(agent.id), ...flags].join(" ")),
  body: redactRequest(prompt),
})

/** Returns the exit code, which is 1 if the program did not give one. */
const endOf = (
  exit: Exit.Exit<unknown, ModelError>,
): { readonly code: number; readonly failure: string | undefined } => {
  if (Exit.isSuccess(exit)) return { code: 0, failure: undefined }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return { code: 1, failure: "the rest was not read" }
  const { reason } = error
  return { code: (reason._tag === "ProgramFailed" ? reason.code : undefined) ?? 1, failure: reason.message }
}
