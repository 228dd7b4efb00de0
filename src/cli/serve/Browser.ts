/** Opens an address in the user's browser: a port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export class Browser extends Context.Tag("vibe/cli/serve/Browser")<
  Browser,
  {
    /** Opens an address; fails with a sentence. The program that opens it may run until the scope closes. */
    readonly open: (url: string) => Effect.Effect<void, string, Scope.Scope>
  }
>() {}
