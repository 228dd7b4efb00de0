/** Opens an address by the program that the desktop has for it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import type { Environment } from "../../../process/Environment.ts"
import { Browser } from "../Browser.ts"

const commandOf = (url: string): Pick<ChildProcess.Command, "program" | "args"> => {
  if (process.platform === "darwin") return { program: "open", args: [url] }
  if (process.platform === "win32") return { program: "rundll32", args: ["url.dll,FileProtocolHandler", url] }
  return { program: "xdg-open", args: [url] }
}

export const layer = (environment: Environment): Layer.Layer<Browser> =>
  Layer.succeed(Browser, {
    open: (url) =>
      Effect.asVoid(
        Effect.mapError(
          ChildProcess.start({ ...commandOf(url), environment }),
          ({ message }) => `the browser is not opened: ${message}`,
        ),
      ),
  })
