/** Starts or resumes a session, for all commands that have one, and starts the tool servers of the user for it. */

import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Conversations from "../../conversation/Conversations.ts"
import * as DraftStorage from "../../conversation/DraftStorage.ts"
import * as FileNames from "../../conversation/FileNames.ts"
import { cannotUseTools, isAgent } from "../../conversation/OfferedTools.ts"
import * as Resume from "../../conversation/Resume.ts"
import type { Next, Session } from "../../conversation/Session.ts"
import type { SessionFailure } from "../../conversation/SessionFailure.ts"
import * as SessionLoop from "../../conversation/SessionLoop.ts"
import type { SessionMode } from "../../conversation/SessionMode.ts"
import * as SlashCommands from "../../conversation/slash/SlashCommands.ts"
import type * as Tools from "../../conversation/slash/Tools.ts"
import type * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Operation from "../../forest/Operation.ts"
import { ModelId } from "../../message/ModelId.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"
import * as ChosenModel from "./ChosenModel.ts"
import * as KnownModels from "./KnownModels.ts"

interface Arguments {
  /** The words of the first message. */
  readonly words: ReadonlyArray<string>
  readonly model: Option.Option<ModelId>
  /** A program that answers in place of a model. */
  readonly agent: Option.Option<string>
  /** The name of a node; blank for one that the user picks, or for the newest if they cannot be asked. */
  readonly resume: Option.Option<string>
  /** True if the conversations of all folders are offered. */
  readonly all?: boolean | undefined
  readonly forest: Option.Option<string>
  readonly ephemeral: boolean
}

export interface Options<R> {
  /** The command that starts the session, such as `vibe chat`. */
  readonly program: string
  readonly mode: Effect.Effect<SessionMode, Failure.Failure, R | Forest.Forest | LoomEngine.LoomEngine>
  readonly tools: ToolRegistry.Service
  /** The tool servers that add their tools to these. */
  readonly servers?: ToolServers.Service | undefined
  /** The tools of `/tools on`, without those of tool servers; undefined if the mode has tools of its own. */
  readonly offered?: Tools.Offered | undefined
  /** The folder of the files that can be mentioned with `@`; the working folder by default. */
  readonly folder?: string | undefined
  /** The error if an agent would answer, also one of the configuration; undefined if any agent may. */
  readonly agentRefusal?: UsageError | undefined
  /** Lines that are shown below the title. */
  readonly facts?: ReadonlyArray<string> | undefined
}

export const run = Effect.fn("Start.run")(function* <R>(typed: Arguments, options: Options<R>) {
  const { agentRefusal, facts = [], folder = ".", offered, program, servers, tools } = options
  const workspace = yield* Workspace.open(folder)
  const registry = yield* ModelRegistry.ModelRegistry
  const id = yield* chooseModel(typed, program)
  if (agentRefusal !== undefined && isAgent(id)) return yield* agentRefusal
  const model = yield* registry.open(id)
  const loom = yield* Effect.provideService(LoomEngine.make, LanguageModel.LanguageModel, model)
  const mode = yield* Effect.provideService(options.mode, LoomEngine.LoomEngine, loom)
  const named = Option.filter(typed.resume, (name) => name !== "")
  const from = yield* Effect.transposeOption(Option.map(named, NodeName.resolve))
  const opening = yield* makeOpening(typed, { owner: mode.owner, program, folder: workspace.root, from })
  const first = typed.words.join(" ").trim()
  yield* SessionLoop.run({
    mode,
    model,
    tools,
    servers,
    from: Option.getOrUndefined(from),
    opening,
    title: `${program} with ${model.id}`,
    facts: [...facts, "/help lists what you can do"],
    notice: isAgent(model.id) ? cannotUseTools(model.id) : undefined,
    commands: yield* SlashCommands.all({
      program,
      mode,
      workspace,
      offered,
      inputHelp,
      models: yield* KnownModels.all(model),
    }),
    workspace,
    files: yield* FileNames.make(workspace),
    drafts: yield* draftStorage(typed, mode),
    first: first === "" ? undefined : first,
    describeFailure: Failure.sentence,
  }).pipe(Effect.locally(Operation.folder, workspace.root))
})

/**
 * Makes the first step of a session that resumes: it starts with the user's choice, or shows the state of the named
 * conversation.
 */
const makeOpening = Effect.fnUntraced(function* (
  { all = false, resume }: Arguments,
  { folder, from, owner, program }: Resume.Place & { readonly owner: string; readonly from: Option.Option<NodeId> },
) {
  const files = yield* Files.Files
  const place = { program, folder }
  if (Option.isNone(resume)) {
    return all ? yield* usageError("--all goes with --resume or --list", program) : undefined
  }
  const scope = Conversations.scopeOf(owner, folder, all)
  return (session: Session): Effect.Effect<Next, SessionFailure> =>
    Option.match(from, {
      onNone: () => Resume.start(session, scope, place),
      onSome: (node) => Effect.as(Resume.showState(session, node, place), "continue" as const),
    }).pipe(Effect.provideService(Files.Files, files))
})

/**
 * Returns whether an agent answers: a program that is given no tools. `--agent NAME` is short for `--model cli/NAME`.
 */
export const asksAgent = ({ agent, model }: Pick<Arguments, "agent" | "model">): boolean =>
  Option.isSome(agent) || Option.exists(model, isAgent)

const chooseModel = Effect.fnUntraced(function* ({ agent, model }: Arguments, program: string) {
  if (Option.isSome(agent) && Option.isSome(model))
    return yield* usageError("there is either --agent or --model", program)
  if (Option.isSome(agent)) return new ModelId({ provider: "cli", name: agent.value })
  return yield* ChosenModel.chooseForConversation(model)
})

/** Stores drafts in files beside the forest; stores nothing if the forest is temporary. */
const draftStorage = ({ ephemeral, forest }: Arguments, { owner }: SessionMode) =>
  ephemeral
    ? Effect.succeed(DraftStorage.none)
    : Option.match(forest, { onNone: () => UserFiles.forestFile, onSome: Effect.succeed }).pipe(
        Effect.map((file) => DraftStorage.inFile(path.resolve(`${file}.unsent`), { folder: path.resolve("."), owner })),
        Effect.orElseSucceed(() => DraftStorage.none),
      )

const usageError = (message: string, program: string) =>
  Effect.fail(new UsageError({ message, command: program.replace(/^vibe /, "") }))

/** The end of `/help`: how the input of the terminal view, and of plain lines, is used. */
const inputHelp = `Esc stops an answer. Ctrl-C empties the line, else stops an answer; twice it leaves. @ names a file, """ begins and ends a message of several lines.
In a terminal: Alt-Enter begins a new line (so do Shift-Enter and Ctrl-J where they come through), Ctrl-R searches earlier messages, Ctrl-O opens what tools said, Ctrl-G writes in your editor, Ctrl-Z suspends.`

/**
 * Starts the servers, and prints on stderr what the user should know about their tools before the conversation begins.
 */
export const addServedTools = Effect.fn("ServedTools.addTo")(function* (own: ToolRegistry.Service) {
  const { err } = yield* Screen.Screen
  const say = (note: string) => Screen.line(err, sanitizeLine(`vibe: ${note}`))
  const tools = yield* ToolServers.addTo(own, yield* ToolServers.ToolServers, say)
  for (const note of tools.notes) yield* say(note)
  return tools
})
