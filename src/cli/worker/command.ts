/** `vibe worker`: answer batches of runs that others have started with `vibe index --cluster`. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as AppConfig from "../../config/AppConfig.ts"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, numberOption, requestPolicy } from "../arguments/options.ts"

const { maxRetries, maxWait } = requestPolicy

const config = {
  parallel: numberOption(
    "parallel",
    (amount) => Number.isSafeInteger(amount) && amount >= 1 && amount <= AppConfig.MAX_PARALLEL,
    `a whole number from 1 to ${AppConfig.MAX_PARALLEL}`,
  ).pipe(Options.withDescription("Send N requests at the same time (default: 3)")),
  maxRetries,
  maxWait,
  json: json.pipe(Options.withDescription("Print one JSON object a line on stdout, for each event")),
}

export type Input = InputOf<typeof config>

export const worker = lazy("worker", config, () => import("./run.ts")).pipe(
  Command.withDescription("Answer batches of 'vibe index --cluster' on this machine"),
)

export const examples = ["VIBE_CLUSTER_URL=postgres://vibe@db/vibe vibe worker", "vibe worker --parallel 8"]
