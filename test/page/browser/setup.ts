/** Builds the program with its page, where there is a browser to look at it. */
import build from "../../program/build.ts"
import { executable } from "./chromium.ts"

export default (): void => {
  if (executable !== undefined) build()
  else process.stderr.write("There is no Chromium here: the tests of the page are skipped\n")
}
