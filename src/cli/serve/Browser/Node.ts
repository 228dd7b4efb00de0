/** Opens an address by the program that the desktop has for it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import type { Environment } from "../../../process/Environment.ts"
import * as Windows from "../../../process/Windows.ts"
import { Browser } from "../Browser.ts"

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
