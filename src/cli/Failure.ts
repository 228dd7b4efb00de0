/** The result of a failed command: one line, one JSON object, one exit code. Pure. */
import * as ConfigError from "effect/ConfigError"
import * as Data from "effect/Data"
import type { GenerateError } from "../agent/GenerateError.ts"
import { cutNames } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { UsageError } from "../base/UsageError.ts"
import type { FileError } from "../code/FileError.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import { type BeadsError, INSTALL_COMMAND } from "../conversation/prd/Beads.ts"
import type { AnswerNotKept } from "../conversation/SessionFailure.ts"
import { DiskError } from "../disk/DiskError.ts"
import type { ExplorerError } from "../explore/ExplorerError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { AmbiguousName, NoSuchNode } from "../forest/NodeName.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { InstallError } from "../install/EditProblem.ts"
import type { NoSuchSymbol } from "../lookup/NoSuchSymbol.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { GitError } from "../review/GitError.ts"
import type { WikiError } from "../wiki/WikiStore.ts"
import type {
  Crash,
  DamagedPurposes,
  InvalidAnswer,
  NotClean,
  NothingExplained,
  TestsNotKnown,
  Unsound,
} from "./CommandError.ts"

/** Every error of a command. A new one does not compile until it has a line and an exit code here. */
export type Failure =
  | AmbiguousName
  | AnswerNotKept
  | BeadsError
  | ConfigError.ConfigError
  | Crash
  | DamagedPurposes
  | ExplorerError
  | FileError
  | ForestError
  | GenerateError
  | GitError
  | IndexError
  | InstallError
  | InvalidAnswer
  | ModelError
  | NoSuchNode
  | NoSuchSymbol
  | NotClean
  | TestsNotKnown
  | NothingExplained
  | SessionError
  | Unsound
  | UsageError
  | WikiError

/** A failure with more to print: what else failed, and the fields that `--json` prints beside the error. */
export class DetailedFailure extends Data.TaggedError("DetailedFailure")<{
  /** Decides the exit code. */
  readonly failure: Failure
  readonly others: ReadonlyArray<Failure>
  readonly object: object
}> {}

/** One line for stderr: what is wrong, and what to do about it if that is known. Safe to print. */
export const line = (failure: Failure): string => `vibe: ${withAdvice(failure, advice(failure))}`

/** The sentence for a session. It has no hint to a command's help, but says what helps in a conversation. */
export const sentence = (failure: Failure): string => withAdvice(failure, adviceInSession(failure))

/**
 * The sentence for the page of `vibe serve`, which has no options and no slash commands: models are chosen below a
 * conversation.
 */
export const sentenceOnPage = (failure: Failure): string => withAdvice(failure, adviceOnPage(failure))

const adviceOnPage = (failure: Failure): string | undefined => {
  if (ConfigError.isConfigError(failure) || failure._tag !== "ModelError") return adviceInSession(failure)
  switch (failure.reason._tag) {
    case "Unauthorized":
      return failure.model.startsWith("google/")
        ? "Get a key at https://aistudio.google.com/apikey and start vibe serve with it in GOOGLE_API_KEY, or choose another model below"
        : adviceInSession(failure)
    case "ContextOverflow":
      return "Begin a new conversation, or choose a model with a larger context below"
    case "Blocked":
    case "ModelNotFound":
    case "Overloaded":
    case "QuotaExhausted":
    case "Unsupported":
      return "Choose another model below"
    default:
      return adviceInSession(failure)
  }
}

const adviceInSession = (failure: Failure): string | undefined => {
  if (ConfigError.isConfigError(failure) || failure._tag === "UsageError") return undefined
  if (failure._tag !== "ModelError") return advice(failure)
  switch (failure.reason._tag) {
    case "ContextOverflow":
      return "/compact makes room, /new begins a new conversation, and /model chooses a model with a larger context"
    case "Blocked":
    case "ModelNotFound":
    case "Overloaded":
    case "QuotaExhausted":
    case "Unsupported":
      return "/model chooses another model"
    default:
      return advice(failure)
  }
}

const withAdvice = (failure: Failure, next: string | undefined): string => {
  const text = sanitizeLine(message(failure))
  return next === undefined ? text : `${text.replace(/(?<![.\s])[.\s]+$/, "")}${text.endsWith("?") ? "" : "."} ${next}`
}

/** The object that `--json` prints in place of an answer. */
export const toJson = (failure: Failure): object => ({
  error: {
    reason: reason(failure),
    message: message(failure),
    ...("problems" in failure && { problems: failure.problems }),
  },
})

/** Exit codes are documented in docs/json.md. `main` sets those of an interrupted run: 129, 130, 143, 149. */
export const exitCode = (failure: Failure): number => {
  if (ConfigError.isConfigError(failure)) return 2
  switch (failure._tag) {
    case "BeadsError":
    case "Crash":
    case "DamagedPurposes":
    case "GenerationAbortedError":
    case "InvalidAnswer":
    case "NoSuchSymbol":
    case "NotClean":
    case "TestsNotKnown":
      return 1
    case "GitError":
      return failure.reason._tag === "Failed" ? 1 : 2
    case "AmbiguousName":
    case "FileError":
    case "InstallError":
    case "InvalidOptionError":
    case "NoSuchNode":
    case "SessionError":
    case "ToolNotFoundError":
    case "ToolsOnlySupportNSingletonError":
    case "UsageError":
      return 2
    case "RepeatedCallsError":
    case "ToolIterationLimitExceededError":
      return 6
    case "NothingExplained":
      return 8
    case "ExplorerError":
      return failure.reason === "refused" ? 2 : failure.reason === "ended" ? 1 : 7
    case "AnswerNotKept":
    case "DamagedWiki":
    case "NewerWiki":
    case "Unsound":
      return 7
    case "IndexError":
      return ["NotIndexed", "NotOwned", "NothingToIndex"].includes(failure.reason._tag) ? 2 : 7
    case "ForestError":
      return forestExitCode(failure)
    case "ModelError":
      return modelExitCode(failure)
  }
}

const forestExitCode = ({ reason }: ForestError): number => {
  switch (reason._tag) {
    case "Answering":
    case "AwaitsAnswer":
    case "BadPosition":
    case "BadTitle":
    case "BelowItself":
    case "BlankText":
    case "Bookmarked":
    case "Changed":
    case "Conflict":
    case "IsRoot":
    case "NoBookmark":
    case "NoOperation":
    case "NotJoinable":
    case "NotText":
    case "NotUndoable":
    case "NothingToRedo":
    case "NothingToUndo":
    case "OpenCall":
    case "OtherTree":
    case "Purged":
      return 2
    // This is a defect: commands write no message that cannot be stored.
    case "Invalid":
      return 1
    case "Full":
    // Names are resolved first, so a node that is missing later is missing from the storage.
    case "NotFound":
    case "Removed":
    case "TooNew":
    case "Uncompacted":
    case "Unreadable":
    case "Unwritable":
      return 7
  }
}

const modelExitCode = ({ reason }: ModelError): number => {
  switch (reason._tag) {
    case "Empty":
    case "InvalidRequest":
    case "Overloaded":
    case "ProgramFailed":
    case "StreamIncomplete":
    case "TimedOut":
    case "Unreachable":
    case "Unusable":
      return 1
    case "Misconfigured":
      return 2
    case "ModelNotFound":
    case "Unauthorized":
    case "Unsupported":
      return 3
    case "QuotaExhausted":
    case "RateLimited":
      return 4
    case "Blocked":
      return 5
    case "BudgetReached":
    case "ContextOverflow":
    case "OutputLimit":
      return 6
  }
}

const message = (failure: Failure): string =>
  cutNames(ConfigError.isConfigError(failure) ? settingMessage(failure) : failure.message)

const reason = (failure: Failure): string =>
  ConfigError.isConfigError(failure)
    ? "ConfigError"
    : "reason" in failure && typeof failure.reason === "object"
      ? failure.reason._tag
      : failure._tag

/** Names the setting, since the message alone may be `<redacted>` or empty. */
const settingMessage = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return `${settingMessage(error.left)}; ${settingMessage(error.right)}`
    case "MissingData":
      return `${error.path.join("_")} is not set`
    default:
      return `${error.path.join("_")}: ${error.message}`
  }
}

const advice = (failure: Failure): string | undefined => {
  if (ConfigError.isConfigError(failure)) return undefined
  switch (failure._tag) {
    case "UsageError":
      if (failure.isOfSession === true) return undefined
      return failure.command === undefined ? "See 'vibe --help'" : `See 'vibe ${failure.command} --help'`
    case "DamagedPurposes":
      return "Mend or remove what is between the markers, then 'vibe check --fix' and 'git add' it"
    case "BeadsError":
      return failure.reason._tag === "NotInstalled" ? `'${INSTALL_COMMAND}' installs it` : undefined
    case "ForestError":
      return forestAdvice(failure)
    case "GitError":
      return gitAdvice(failure)
    case "IndexError":
      return indexAdvice(failure)
    case "ModelError":
      return modelAdvice(failure)
    case "InstallError":
      return failure.advice
    case "NoSuchNode":
      return failure.trees === 0 ? undefined : "'vibe loom roots' lists the trees"
    case "NoSuchSymbol":
      return failure.nearest.length > 0 || failure.problem !== undefined
        ? undefined
        : "'vibe query' searches what symbols are for"
    case "NothingExplained":
      return "Another model can be named with --model or VIBE_MODEL; what is known is kept"
    case "Unsound":
      return failure.isMendable ? "'vibe loom verify --mend' makes it again" : undefined
    default:
      return undefined
  }
}

const gitAdvice = ({ reason }: GitError): string | undefined => {
  switch (reason._tag) {
    case "NotInstalled":
      return "Install it from https://git-scm.com"
    case "NotARepository":
      return "Run the command in a clone, or name a folder of one with --root"
    case "OtherOwner":
      return "If you trust that user: git config --global --add safe.directory FOLDER"
    case "NoSuchRevision":
      if (reason.isFirst) return "'git commit' makes the first one"
      if (reason.remote !== undefined) return `'git fetch ${reason.remote}' brings it`
      return reason.isShallow
        ? "This clone is shallow: 'git fetch --unshallow' fetches the rest (in GitHub Actions: fetch-depth: 0)"
        : "'git fetch' may bring it; 'git branch --all' lists branches"
    case "NoMergeBase":
      return reason.isShallow
        ? "'git fetch --unshallow' fetches the rest of the history (in GitHub Actions: fetch-depth: 0)"
        : "Name a commit of the same history"
    case "PartialClone":
      return "'git fetch --refetch --no-filter' fetches them"
    case "Failed":
      return undefined
  }
}

const forestAdvice = ({ reason }: ForestError): string | undefined => {
  switch (reason._tag) {
    case "Answering":
      return reason.operation === "delete"
        ? `Delete ${reason.call}, and its answers go with it`
        : `'vibe loom ${reason.operation} ${reason.call}' takes the call with it`
    case "Bookmarked":
      return "Add --bookmarks if that is meant"
    case "Conflict":
      return reason.by === undefined ? undefined : `'vibe loom undo ${reason.by}' takes that back first`
    case "OtherTree":
      return `'vibe loom copy ${reason.id} --to ${reason.to}' does that`
    case "NothingToUndo":
      return "'vibe loom history' lists what others did; 'vibe loom undo OPERATION' takes it back"
    case "NotUndoable":
      return reason.is === "still under way" ? undefined : "'vibe loom redo' puts back what was undone last"
    case "OpenCall":
      return reason.of === undefined ? undefined : `'vibe loom undo ${reason.operation}' takes back both`
    case "TooNew":
      return "Update vibe to read them"
    case "Uncompacted":
      return "Run 'vibe loom purge --removed' once nothing else has it open"
    case "Unreadable":
      // A `DiskError` describes the fault itself. The other reasons in it say what to do.
      if (reason.cause instanceof DiskError)
        return reason.cause.reason._tag === "Damaged"
          ? "Bring back a copy of it, or move it away to begin anew"
          : undefined
      return "'vibe loom verify' says what is wrong, and with --mend makes anew what can be"
    default:
      return undefined
  }
}

const modelAdvice = ({ model, reason }: ModelError): string | undefined => {
  switch (reason._tag) {
    case "Unauthorized":
      return model.startsWith("google/")
        ? "Get a key at https://aistudio.google.com/apikey and set GOOGLE_API_KEY, or name another model with --model ('vibe models' lists them)"
        : "'vibe models' says where the key of each provider is looked for"
    case "Blocked":
    case "ModelNotFound":
    case "Overloaded":
    case "QuotaExhausted":
    case "Unsupported":
      return "Another model can be named with --model or VIBE_MODEL"
    case "ContextOverflow":
      return "Give it less to read, or name a model with a larger context with --model or VIBE_MODEL"
    default:
      return undefined
  }
}

const indexAdvice = ({ reason }: IndexError): string | undefined => {
  switch (reason._tag) {
    case "NotIndexed":
      return "Make one with 'vibe index'"
    case "TooNew":
      return "Update vibe to read it"
    case "NotOwned":
      return "If you trust that user, name the folder in safeFolders of your own configuration, or in VIBE_SAFE_FOLDERS"
    case "NotAFile":
    case "NotAFolder":
      return "Remove it and run the command again"
    case "Full":
      return "Make room and run it again: what is known is kept"
    default:
      return undefined
  }
}
