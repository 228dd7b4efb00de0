/** Estimates the tokens that the definitions of tools take in each request. Pure. */
import * as Tokens from "../message/Tokens.ts"
import type { Tool } from "./Tool.ts"

/** Returns the estimate in tokens. */
export const estimate = (tools: ReadonlyArray<Tool>): number =>
  Math.ceil(
    0.3 *
      tools.reduce(
        (length, { description, name, parameters }) =>
          length + Tokens.lengthOf(JSON.stringify({ name, description, parameters })),
        0,
      ),
  )

/** Describes the estimate to two digits: `about 1,500 tokens`. */
export const describe = (tools: ReadonlyArray<Tool>): string =>
  `about ${Number(estimate(tools).toPrecision(2)).toLocaleString("en")} tokens`
