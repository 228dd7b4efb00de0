/** `vibe worker`: answer batches of runs that others have started with `vibe index --cluster`. */
import * as Command from "../arguments/Command.ts"
import { parallelRange, requestPolicy } from "../arguments/modelOptions.ts"
import { json } from "../arguments/options.ts"
import { describe, number } from "../arguments/Parameter.ts"

const { maxRetries, maxWait } = requestPolicy

export const worker = Command.declare(
  "worker",
  "Answer batches of 'vibe index --cluster' on this machine",
  {
    parallel: number("parallel", parallelRange, "Send N requests at the same time (default: 3)"),
    maxRetries,
    maxWait,
    json: describe(json, "Print one JSON object a line on stdout, for each event"),
  },
  ["VIBE_CLUSTER_URL=postgres://vibe@db/vibe vibe worker", "vibe worker --parallel 8"],
)

export type Input = Command.InputOf<typeof worker>
