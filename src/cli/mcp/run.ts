/** Runs `vibe mcp`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ServedTools from "../../mcp/ServedTools.ts"
import * as ServerStdio from "../../mcp/ServerStdio.ts"
import * as Failure from "../Failure.ts"
import * as RepositoryFolders from "../project/RepositoryFolders.ts"
import { Version } from "../Table.ts"
import * as Screen from "../terminal/Screen.ts"
import * as CurrentProject from "./CurrentProject.ts"
import type { Input } from "./command.ts"
import * as Offered from "./Offered.ts"

export const run = Effect.fn("cli.mcp")(function* (input: Input) {
  const { root } = input
  const several = yield* choose(input)
  const folders = Option.map(several, ({ folders }) => folders)
  const current = yield* Option.match(folders, {
    onNone: () => CurrentProject.make(root),
    onSome: (folders) =>
      Effect.flatMap(
        Effect.promise(() => import("./CurrentRepositories.ts")),
        ({ make }) => make(folders),
      ),
  })
  const tools = yield* Offered.make(current, root)
  const served = yield* ServedTools.make({
    name: "vibe",
    version: yield* Version,
    instructions: Option.match(folders, {
      onNone: () => Offered.instructions,
      onSome: (folders) => Offered.instructionsFor(folders.map(({ name }) => name)),
    }),
    tools,
  })
  yield* ServerStdio.serve(served)
}, Effect.scoped)

/** An invalid workspace file that the command line does not name is no reason to offer nothing. */
const choose = (input: Input) =>
  Effect.catchAll(RepositoryFolders.choose(input, "mcp"), (error) =>
    input.repo.length > 0 || Option.isSome(input.workspace) || error._tag === "UsageError"
      ? Effect.fail(error)
      : Effect.flatMap(Screen.Screen, ({ err }) => Effect.as(Screen.line(err, Failure.line(error)), Option.none())),
  )
