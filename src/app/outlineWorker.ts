/** The entry of the program's outlining threads, in which V8 does not optimise the largest grammars. */
import * as Effect from "effect/Effect"
import * as OutlineServer from "../code/Symbols/OutlineServer.ts"
import { ParseRunner } from "../code/Symbols/TreeSitter.ts"
import { runParse } from "./V8.ts"

void Effect.runPromise(Effect.provideService(OutlineServer.serve, ParseRunner, runParse))
