/** A process that prompts an agent that does not end, and exits on a signal. */
import * as path from "node:path"
import { Duration, Effect, Stream } from "effect"
import * as CliAgent from "../../../src/provider/agents/CliAgent.ts"

const { COORDINATOR = "" } = process.env

const agent = CliAgent.make({
  name: "test",
  command: process.execPath,
  args: [...process.execArgv, path.join(import.meta.dirname, "CliAgent.program.ts"), "deaf"],
  format: "text",
  abilities: { streams: true, readsFiles: false },
  env: { COORDINATOR },
  needs: [],
  timeout: Duration.zero,
  environment: {},
})

Effect.runFork(Stream.runDrain(agent.ask("")))

process.stdin.once("data", () => process.exit(7))
