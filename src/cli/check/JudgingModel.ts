/** The model that judges the touched statements for `vibe check`; `None` without `--model`. */
import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as LanguageModel from "../../model/LanguageModel.ts"

export class JudgingModel extends Context.Tag("vibe/cli/check/JudgingModel")<
  JudgingModel,
  Option.Option<LanguageModel.Service>
>() {}
