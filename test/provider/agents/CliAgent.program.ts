/**
 * An agent as a process, for test/provider/agents/CliAgent.test.ts: its first argument selects its behaviour. Where
 * it may outlive its parent, it connects to the port in COORDINATOR, and reports there what happens to it.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import { text } from "node:stream/consumers"

const [behaviour, ...rest] = process.argv.slice(2)

/** Writes at once, so that the text arrives as a chunk of its own. */
const say = (words: string | Uint8Array) => fs.writeSync(1, words as string)

const pause = (millis: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)

/**
 * Calls `then` once the other end has read the line, with what is received there. This process ends with the
 * connection.
 */
const call = (name: string, then: (line: net.Socket) => void) => {
  const line: net.Socket = net.connect(Number(process.env.COORDINATOR), "127.0.0.1", () => line.write(`${name}\n`))
  line.once("data", () => then(line))
  line.on("close", () => process.exit())
  line.on("error", () => process.exit())
}

const deaf = (name: string) =>
  call(name, (line) => {
    process.on("SIGTERM", () => line.write("asked to end\n"))
    line.write("deaf\n")
  })

const behaviours: Record<string, () => void> = {
  echo: async () => say(await text(process.stdin)),
  arguments: () => say(JSON.stringify(rest)),
  environment: () => say(JSON.stringify(process.env)),
  folder: () => say(process.cwd()),
  silent: () => fs.writeSync(2, "nothing to say\n"),
  waits: () => call("waits", () => say("I am thinking")),
  deaf: () => deaf("deaf"),
  floods: () => {
    const line = "again and again ".repeat(4096)
    while (true) say(line)
  },
  complains: () => {
    const line = "it goes on ".repeat(4096)
    for (let n = 0; n < 200; n++) fs.writeSync(2, line)
    say("done")
  },
  // A snowman and an emoji, split within their bytes.
  letters: () => {
    for (const byte of Buffer.from("a☃😀z")) {
      say(Buffer.of(byte))
      pause(5)
    }
  },
  half: () => say(Buffer.from("☃").subarray(0, 2)),
  colours: () => {
    fs.writeSync(2, `\u001b[31mred\u001b[0m \u001b]0;title\u0007 ${rest[0]}\nsk-0123456789abcdef is wrong\n`)
    process.exitCode = 3
  },
  long: () => {
    fs.writeSync(2, `${"x".repeat(6000)}${rest[0]}${"y".repeat(4000)}the end`)
    process.exitCode = 1
  },
  apologises: () => {
    say("Please log in\n")
    process.exitCode = 1
  },
  dies: () => {
    say("The answer is")
    process.kill(process.pid, "SIGKILL")
  },
  leaves: () => {
    // It inherits our stdout and never ends.
    spawn(process.execPath, [...process.execArgv, import.meta.filename, "deaf"], { stdio: "inherit" })
    call("leaves", (line) => {
      line.once("data", () => process.exit())
      say("bye")
    })
  },
  // In another process group, with our stdout inherited.
  escapes: () => {
    spawn(process.execPath, [...process.execArgv, import.meta.filename, "deaf"], {
      stdio: "inherit",
      detached: true,
    }).unref()
    call("escapes", (line) => {
      line.once("data", () => process.exit())
      say("bye")
    })
  },
}

behaviours[behaviour ?? ""]?.()
