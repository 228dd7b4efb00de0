/** The layer of `vibe mcp`: that of the commands that read an index, with the streams of this process. */
import { Writable } from "node:stream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as OwnProcess from "../../app/OwnProcess.ts"
import * as Files from "../../code/Files.ts"
import * as NodeWatcher from "../../code/Watcher/Node.ts"
import * as ServerStdio from "../../mcp/ServerStdio.ts"
import * as WikiStore from "../../wiki/WikiStore.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import { Conversations } from "./CurrentProject.ts"

/**
 * Takes stdout for the protocol alone: whatever else is written to stdout goes to stderr from now on, also by libraries
 * and threads. This is for vibe's own process, and lasts as long as it lives.
 */
const takeStdout = (): Writable => {
  const { stderr, stdout } = process
  const write = stdout.write.bind(stdout)
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done)
    },
  })
  stdout.on("error", (error) => output.destroy(error))
  stdout.write = stderr.write.bind(stderr)
  return output
}

/**
 * The wait for the end after the client is gone. With the time that calls under way are given, it is less than a
 * second.
 */
const MAX_CLOSING_MS = 300

const streams = Layer.sync(ServerStdio.Streams, () => ({
  input: process.stdin,
  output: takeStdout(),
  parent: Effect.sync(() => process.ppid),
  onGone: Effect.sync(() => void setTimeout(() => process.exit(), MAX_CLOSING_MS).unref()),
}))

/** The forest is loaded when the first conversation is searched, which few servers offer. */
const conversations = Layer.succeed(Conversations, {
  open: Effect.flatMap(
    Effect.promise(() => Promise.all([import("../layers/ForestLayer.ts"), import("../../forest/Forest.ts")])),
    ([{ layer }, { Forest }]) =>
      Effect.map(Layer.build(layer({ forest: Option.none(), ephemeral: false })), Context.get(Forest)),
  ),
})

/** The folder of the wiki, whose adapter is loaded with the first page that is read. */
const wiki = Layer.effect(
  WikiStore.WikiStore,
  Effect.map(Files.Files, (files) => ({
    open: (root: string) =>
      Effect.flatMap(
        Effect.promise(() => import("../../wiki/WikiStore/Folder.ts")),
        ({ layer }) =>
          Effect.flatMap(WikiStore.WikiStore, (store) => store.open(root)).pipe(
            Effect.provide(layer),
            Effect.provideService(Files.Files, files),
          ),
      ),
  })),
)

export const layer = conversations.pipe(
  Layer.provideMerge(streams),
  Layer.provideMerge(NodeWatcher.layer),
  Layer.provideMerge(wiki),
  Layer.provideMerge(CodeLayer.layer),
  Layer.provideMerge(OwnProcess.limitMemory),
)
