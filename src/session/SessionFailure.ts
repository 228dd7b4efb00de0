/** Everything that a session can fail with. */
import type { ConfigError } from "effect/ConfigError"
import type { SessionError } from "../chat/SessionError.ts"
import type { FileError } from "../code/FileError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { AmbiguousName, NoSuchNode } from "../forest/NodeName.ts"
import type { IndexError } from "../indexing/IndexError.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import type { UsageError } from "../message/UsageError.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { AnswerNotKept } from "./AnswerNotKept.ts"
import type { BeadsError } from "./prd/Beads.ts"

export type SessionFailure =
  | AmbiguousName
  | AnswerNotKept
  | BeadsError
  | ConfigError
  | FileError
  | ForestError
  | GenerateError
  | IndexError
  | ModelError
  | NoSuchNode
  | SessionError
  | UsageError
