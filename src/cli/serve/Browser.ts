/** Opens an address in the user's browser, by the program that the desktop has for it. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as ChildProcess from "../../process/ChildProcess.ts"
import type { Environment } from "../../process/Environment.ts"
import * as Windows from "../../process/Windows.ts"

export class Browser extends Context.Tag("vibe/cli/serve/Browser")<
  Browser,
  {
    /** Opens an address; fails with a sentence. The program that opens it may run until the scope closes. */
    readonly open: (url: string) => Effect.Effect<void, string, Scope.Scope>
  }
>() {}

export const commandOf = (
  url: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Pick<ChildProcess.Command, "program" | "args"> => {
  if (platform === "darwin") return { program: "open", args: [url] }
  if (platform !== "win32") return { program: "xdg-open", args: [url] }
  // `start` of cmd.exe would interpret the `&` of a URL.
  return { program: Windows.systemProgram("rundll32.exe", environment), args: ["url.dll,FileProtocolHandler", url] }
}

export const layer = (environment: Environment): Layer.Layer<Browser> =>
  Layer.succeed(Browser, {
    open: (url) =>
      Effect.asVoid(
        Effect.mapError(
          ChildProcess.start({ ...commandOf(url, environment), environment }),
          ({ message }) => `the browser is not opened: ${message}`,
        ),
      ),
  })
