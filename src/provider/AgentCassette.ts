/** Exchanges with programs that answer as models do, on the cassettes of those with servers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Agent from "../model/Agent.ts"
import { ModelError, ProgramFailed, type Reason } from "../model/ModelError.ts"
import * as Cassette from "./Cassette.ts"
import { withoutSecrets } from "./internal/fault.ts"

/** `secrets` are struck out of all that is kept, as is what looks like a key. */
type Clean = (text: string) => string

const cleaner =
  (secrets: ReadonlyArray<string>): Clean =>
  (text) =>
    withoutSecrets(text, secrets)

/** `keep` is told of every answer once it is over, also of one that failed or was broken off. */
export const recording =
  (keep: (exchange: Cassette.Exchange) => void) =>
  (agent: Agent.Service, secrets: ReadonlyArray<string>): Agent.Service => ({
    ...agent,
    ask: (prompt, asking) =>
      Stream.suspend(() => {
        const clean = cleaner(secrets)
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
                request: requestOf(agent, prompt, asking, clean),
                response: {
                  status: code,
                  headers: {},
                  body: clean(said.Stdout),
                  ...(said.Stderr !== "" && { stderr: clean(said.Stderr) }),
                },
                ...(failure !== undefined && { failure: clean(failure) }),
              })
            }),
          ),
        )
      }),
  })

/** Answers with what was recorded for the very same prompt; the program is not started, and need not be there. */
export const replaying = (exchanges: ReadonlyArray<Cassette.Exchange>) => {
  const find = Cassette.finder(exchanges)
  return (agent: Agent.Service, secrets: ReadonlyArray<string>): Agent.Service => {
    const failed = (reason: Reason) => new ModelError({ model: String(agent.id), reason })
    return {
      ...agent,
      ready: Effect.void,
      ask: (prompt, asking) =>
        Stream.suspend(() => {
          const found = find(requestOf(agent, prompt, asking, cleaner(secrets)))
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
  clean: Clean,
): Cassette.Exchange["request"] => ({
  method: "RUN",
  path: clean([String(agent.id), ...flags].join(" ")),
  body: clean(prompt),
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
