/**
 * An agent as a process, for test/provider/agents/CliAgent.test.ts: its first argument says how it behaves. Where it may
 * outlive what it should not, it calls the port in HOTLINE, and says there what happens to it.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import { text } from "node:stream/consumers"

const [behaviour, ...rest] = process.argv.slice(2)

/** Writes at once, so that it comes as a piece of its own. */
const say = (words: string | Uint8Array) => fs.writeSync(1, words as string)

const pause = (millis: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)

/** `then` begins once the other end has heard it, and hears what is said there. Without the line we end. */
const call = (name: string, then: (line: net.Socket) => void) => {
  const line: net.Socket = net.connect(Number(process.env.HOTLINE), "127.0.0.1", () => line.write(`${name}\n`))
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
  // A snowman and a face, cut within.
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
    // It holds our stdout, and would for ever.
    spawn(process.execPath, [import.meta.filename, "deaf"], { stdio: "inherit" })
    call("leaves", (line) => {
      line.once("data", () => process.exit())
      say("bye")
    })
  },
  // Out of our group, with our stdout in its hands.
  escapes: () => {
    spawn(process.execPath, [import.meta.filename, "deaf"], { stdio: "inherit", detached: true }).unref()
    call("escapes", (line) => {
      line.once("data", () => process.exit())
      say("bye")
    })
  },
}

behaviours[behaviour ?? ""]?.()
