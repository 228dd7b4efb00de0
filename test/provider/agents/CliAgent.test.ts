/** Agents as real processes: the first argument of test/provider/agents/CliAgent.program.ts selects the behaviour. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Either, Exit, Fiber, Option, Stream, TestClock } from "effect"
import type * as AgentProgram from "../../../src/model/AgentProgram.ts"
import { toModel } from "../../../src/model/AgentProgram.ts"
import type { ProgramFailed } from "../../../src/model/ModelError.ts"
import * as CliAgent from "../../../src/provider/agents/CliAgent.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { nodeArguments } from "../../utils/nodeArguments.ts"
import * as ProcessCoordinator from "../../utils/ProcessCoordinator.ts"

const program = path.join(import.meta.dirname, "CliAgent.program.ts")

const environment = { PATH: path.dirname(process.execPath), LANG: "C.UTF-8" }

/** An agent with this behaviour. */
const agent = (args: ReadonlyArray<string>, options: Partial<CliAgent.Options> = {}): AgentProgram.Service =>
  CliAgent.make({
    name: "test",
    command: process.execPath,
    args: [...nodeArguments, program, ...args],
    format: "text",
    abilities: { streams: true, readsFiles: false },
    env: {},
    needs: [],
    timeout: Duration.zero,
    environment,
    ...options,
  })

const words = (outputs: Iterable<AgentProgram.Output>, of: AgentProgram.Output["_tag"] = "Stdout"): string =>
  Array.from(outputs)
    .flatMap((output) => (output._tag === of && output._tag !== "Usage" ? [output.text] : []))
    .join("")

const answer = (subject: AgentProgram.Service, prompt = "", options: AgentProgram.Asking = {}) =>
  Effect.map(Stream.runCollect(subject.ask(prompt, options)), (outputs) => words(outputs))

/** The reason of its failure. */
const failure = (subject: AgentProgram.Service, options: AgentProgram.Asking = {}) =>
  Effect.map(Effect.flip(answer(subject, "", options)), ({ reason }) => reason)

const programFailure = (subject: AgentProgram.Service) =>
  Effect.filterOrDie(
    failure(subject),
    (reason): reason is ProgramFailed => reason._tag === "ProgramFailed",
    (reason) => reason,
  )

const onCoordinator = (processes: ProcessCoordinator.ProcessCoordinator, ...args: ReadonlyArray<string>) =>
  agent(args, { env: { COORDINATOR: String(processes.port) } })

describe("a program as an agent", () => {
  it.scopedLive("reads the prompt from stdin to its end, and answers on stdout", () =>
    Effect.gen(function* () {
      const prompt = `What is “this”? $(rm -rf /) \`id\` ☃\n${"very ".repeat(100_000)}long`
      assert.strictEqual(yield* answer(agent(["echo"]), prompt), prompt)
    }),
  )

  it.scopedLive("receives its arguments unchanged, without a shell", () =>
    Effect.gen(function* () {
      const args = ["a b", '"', "$HOME", "; exit 1", "*", "", "☃"]
      assert.deepStrictEqual(JSON.parse(yield* answer(agent(["arguments", ...args]))), args)
      const flags = ["--model", "opus"]
      assert.deepStrictEqual(JSON.parse(yield* answer(agent(["arguments", "x"]), "", { flags })), ["x", ...flags])
    }),
  )

  it.scopedLive("runs in the working directory of the request", () =>
    Effect.gen(function* () {
      const cwd = yield* temporaryFolder
      assert.strictEqual(yield* answer(agent(["folder"]), "", { cwd }), cwd)
      assert.strictEqual(yield* answer(agent(["folder"])), process.cwd())
    }),
  )

  it.scopedLive("streams its answer", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const first = yield* Stream.runHead(onCoordinator(processes, "waits").ask(""))
      assert.deepStrictEqual(
        Option.map(first, (output) => words([output])),
        Option.some("I am thinking"),
      )
      // The rest is cancelled.
      yield* processes.waitFor("waits", "gone")
    }),
  )

  it.scopedLive("joins characters that are split over two chunks", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* answer(agent(["letters"])), "a☃😀z")
      assert.strictEqual(yield* answer(agent(["half"])), "\ufffd")
    }),
  )

  it.scopedLive("may end without reading the prompt", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* answer(agent(["arguments"]), "unread ".repeat(1_000_000)), "[]")
    }),
  )

  it.scopedLive("emits stderr separately, whatever its length", () =>
    Effect.gen(function* () {
      const outputs = yield* Stream.runCollect(agent(["complains"]).ask(""))
      assert.strictEqual(words(outputs), "done")
      assert.lengthOf(words(outputs, "Stderr"), 200 * 4096 * "it goes on ".length)
    }),
  )

  it.scopedLive("receives the variables it needs, and no keys of others", () =>
    Effect.gen(function* () {
      const subject = agent(["environment"], {
        environment: { ...environment, MY_API_KEY: "mine", OTHER_API_KEY: "other's", FORCE_COLOR: "1", HOME: "/home" },
        needs: ["MY_API_KEY"],
        env: { MODE: "calm" },
      })
      assert.deepInclude(JSON.parse(yield* answer(subject)), {
        ...environment,
        HOME: "/home",
        MY_API_KEY: "mine",
        MODE: "calm",
        NO_COLOR: "1",
      })
      assert.doesNotHaveAnyKeys(JSON.parse(yield* answer(subject)), ["OTHER_API_KEY", "FORCE_COLOR"])
    }),
  )
})

describe("a program that fails", () => {
  it.scopedLive("is reported with exit code and last output, without control sequences and keys", () =>
    Effect.gen(function* () {
      const secret = "correct-horse-battery"
      const subject = agent(["colours", secret], { environment: { ...environment, X_TOKEN: secret } })
      const { code, message, signal } = yield* programFailure(subject)
      assert.deepStrictEqual([code, signal], [3, undefined])
      assert.strictEqual(message, "it ended with exit code 3: red  [key]\n[key] is wrong")
    }),
  )

  it.scopedLive("is reported with its last 4,096 characters, and no half of a key", () =>
    Effect.gen(function* () {
      const secret = `begin${"s".repeat(200)}end`
      const subject = agent(["long", secret], { environment: { ...environment, X_TOKEN: secret } })
      const { message } = yield* programFailure(subject)
      assert.isTrue(message.endsWith(`[key]${"y".repeat(4000)}the end`))
      assert.lengthOf(message, "it ended with exit code 1: ".length + CliAgent.MAX_TAIL_CHARS)
    }),
  )

  it.scopedLive("is reported with stdout where stderr is empty", () =>
    Effect.gen(function* () {
      const { message } = yield* programFailure(agent(["apologises"]))
      assert.strictEqual(message, "it ended with exit code 1: Please log in")
    }),
  )

  it.scopedLive("is reported with the signal that killed it, after its output", () =>
    Effect.gen(function* () {
      const received: Array<AgentProgram.Output> = []
      const exit = yield* agent(["dies"])
        .ask("")
        .pipe(
          Stream.runForEach((output) => Effect.sync(() => received.push(output))),
          Effect.either,
        )
      assert.strictEqual(words(received), "The answer is")
      const { reason } = Either.getOrThrow(Either.flip(exit))
      assert.deepInclude(reason, { _tag: "ProgramFailed", signal: "SIGKILL" })
      assert.include(reason.message, "killed by SIGKILL")
    }),
  )

  it.scopedLive("is stopped where its output does not end, and is backpressured by a slow reader", () =>
    Effect.gen(function* () {
      let count = 0
      const exit = yield* agent(["floods"])
        .ask("")
        .pipe(
          Stream.runForEach((output) =>
            Effect.sync(() => {
              count += words([output]).length
            }),
          ),
          Effect.either,
        )
      assert.strictEqual(Either.getOrThrow(Either.flip(exit)).reason._tag, "OutputLimit")
      assert.isAtMost(count, CliAgent.MAX_ANSWER_CHARS)
    }),
  )

  it.scopedLive("that cannot be started fails with a message", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const broken = path.join(folder, "broken")
      fs.writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 })
      assert.strictEqual((yield* failure(agent([], { command: broken })))._tag, "Misconfigured")
      const nowhere = yield* failure(agent(["echo"]), { cwd: path.join(folder, "nowhere") })
      assert.strictEqual(nowhere._tag, "Misconfigured")
      assert.strictEqual((yield* failure(agent(["a\0b"])))._tag, "Misconfigured")
    }),
  )

  it.scopedLive("that is not installed fails with advice", () =>
    Effect.gen(function* () {
      const missing = agent([], { command: "no-such-agent" })
      const { reason } = yield* Effect.flip(missing.ready)
      assert.strictEqual(reason._tag, "ModelNotFound")
      assert.include(reason.message, "there is no 'no-such-agent' on PATH")
      assert.strictEqual((yield* failure(missing))._tag, "ModelNotFound")
      yield* agent([], { command: path.basename(process.execPath) }).ready
    }),
  )

  it.scopedLive("is Empty as a model where its output is empty", () =>
    Effect.gen(function* () {
      const request = { system: "", messages: [], tools: [] }
      const { reason } = yield* Effect.flip(Stream.runDrain(toModel(agent(["silent"])).stream(request)))
      assert.strictEqual(reason._tag, "Empty")
    }),
  )
})

describe("a program that does not end", () => {
  it.scoped("receives SIGTERM at the time limit, and SIGKILL two seconds later", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const subject = onCoordinator(processes, "deaf")
      const fiber = yield* Effect.fork(failure(subject, { timeout: "10 minutes" }))
      yield* processes.waitFor("deaf", "deaf")
      yield* TestClock.adjust("10 minutes")
      yield* processes.waitFor("deaf", "asked to end")
      yield* TestClock.adjust("1999 millis")
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "None")
      yield* TestClock.adjust("1 millis")
      const reason = yield* Fiber.join(fiber)
      assert.strictEqual(reason._tag, "TimedOut")
      assert.include(reason.message, "10m")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scoped("ends at the time limit where it handles SIGTERM, by default after ten minutes", () =>
    Effect.gen(function* () {
      assert.strictEqual(Duration.toMinutes(CliAgent.timeout), 10)
      const processes = yield* ProcessCoordinator.open
      const subject = agent(["waits"], { env: { COORDINATOR: String(processes.port) }, timeout: CliAgent.timeout })
      const fiber = yield* Effect.fork(failure(subject))
      yield* processes.waitFor("waits", "here")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "TimedOut")
      yield* processes.waitFor("waits", "gone")
    }),
  )

  it.scoped("receives SIGTERM when the caller is interrupted, and SIGKILL within a second", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const fiber = yield* Effect.fork(answer(onCoordinator(processes, "deaf")))
      yield* processes.waitFor("deaf", "deaf")
      const stopping = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* processes.waitFor("deaf", "asked to end")
      yield* TestClock.adjust("500 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.join(stopping)))
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scopedLive("ends when this process exits without finalizers", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [...nodeArguments, path.join(import.meta.dirname, "CliAgent.parent.ts")], {
            env: { COORDINATOR: String(processes.port) },
            stdio: ["pipe", "ignore", "inherit"],
          }),
        ),
        (parent) => Effect.sync(() => parent.kill("SIGKILL")),
      )
      yield* processes.waitFor("deaf", "deaf")
      parent.stdin.write("go\n")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scopedLive("is ended together with the processes that it started", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const started = yield* Deferred.make<void>()
      const fiber = yield* onCoordinator(processes, "leaves")
        .ask("")
        .pipe(
          Stream.tap(() => Deferred.succeed(started, undefined)),
          Stream.runDrain,
          Effect.fork,
        )
      yield* processes.waitFor("deaf", "deaf")
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* processes.waitFor("leaves", "gone")
      yield* processes.waitFor("deaf", "gone")
    }),
  )
})

describe("a program that succeeds", () => {
  it.scopedLive("leaves no process of its group that would hold its stdout", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const fiber = yield* Effect.fork(answer(onCoordinator(processes, "leaves")))
      yield* processes.waitFor("deaf", "deaf")
      yield* processes.waitFor("leaves", "here")
      yield* processes.release("leaves")
      assert.strictEqual(yield* Fiber.join(fiber), "bye")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scoped("is not awaited where a process outside of its group holds its stdout", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const fiber = yield* Effect.fork(answer(onCoordinator(processes, "escapes")))
      yield* processes.waitFor("deaf", "deaf")
      yield* processes.waitFor("escapes", "here")
      yield* processes.release("escapes")
      yield* processes.waitFor("escapes", "gone")
      yield* Effect.repeat(TestClock.adjust("1 second"), {
        until: () => Effect.map(Fiber.poll(fiber), (exit) => exit._tag === "Some"),
      })
      assert.strictEqual(yield* Fiber.join(fiber), "bye")
    }),
  )
})
