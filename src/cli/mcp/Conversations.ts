/** The conversations of the user, which `vibe mcp` opens when they are first searched. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Forest from "../../forest/Forest.ts"

export class Conversations extends Context.Tag("vibe/cli/mcp/Conversations")<
  Conversations,
  { readonly open: Effect.Effect<Forest.Service, { readonly message: string }, Scope.Scope> }
>() {}
