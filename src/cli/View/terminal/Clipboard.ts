/**
 * The clipboard of the user, through the programs of the desktop and through the terminal (OSC 52), which works over
 * SSH as well.
 */
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import { type Environment, variable } from "../../../process/Environment.ts"
import * as Windows from "../../../process/Windows.ts"

export interface Clipboard {
  /** Passes the text to the first program that takes it; returns whether one did. */
  readonly write: (text: string) => Effect.Effect<boolean>
  /** The picture in the clipboard; `None` if it holds no picture, or if no program can read it. */
  readonly readPicture: Effect.Effect<Option.Option<Uint8Array>>
}

/** The most bytes of Base64 in one sequence: many terminals drop a longer text. */
const MAX_OSC52 = 100_000

/** Copies a text, and says how. */
export const copy = ({ write }: Clipboard, terminal: Pick<Terminal, "write">, text: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const encoded = Buffer.from(text).toString("base64")
    const isShort = encoded.length <= MAX_OSC52
    if (isShort) terminal.write(`\x1b]52;c;${encoded}\x07`)
    const length = `${text.length.toLocaleString("en")} ${text.length === 1 ? "character" : "characters"}`
    if (yield* write(text)) return `copied the last answer: ${length}`
    return isShort
      ? `the last answer was handed to your terminal to copy: ${length}. Some terminals ignore that`
      : `the last answer has ${length}, which is too long for a terminal to copy; /export writes the conversation to a file`
  })

interface Program {
  readonly program: string
  readonly args: ReadonlyArray<string>
}

export const ofProcess = (environment: Environment, platform: NodeJS.Platform = process.platform): Clipboard => {
  const command = ({ args, program }: Program): ChildProcess.Command => ({ program, args, environment })
  return {
    write: (text) =>
      Effect.map(
        Effect.findFirst(writers(environment, platform), (writer) =>
          Effect.match(ChildProcess.run(command(writer), { stdin: text }), {
            onFailure: () => false,
            onSuccess: ({ code }) => code === 0,
          }),
        ),
        Option.isSome,
      ),
    readPicture: Effect.map(
      Effect.forEach(readers(environment, platform), (reader) =>
        // Latin-1 has a character for each byte.
        Effect.option(ChildProcess.run({ ...command(reader), encoding: "latin1" }, { longest: MAX_READ })),
      ),
      (results) => {
        const found = results.find((result) => Option.exists(result, ({ code, stdout }) => code === 0 && stdout !== ""))
        return Option.map(found ?? Option.none(), ({ stdout }) => Uint8Array.from(Buffer.from(stdout, "latin1")))
      },
    ),
  }
}

/** The most bytes that are read: more than a picture may have, so that a longer one is refused and not cut off. */
const MAX_READ = 25_000_000

/** The programs that copy their standard input, the likeliest first. */
export const writers = (environment: Environment, platform: NodeJS.Platform): ReadonlyArray<Program> => {
  if (platform === "darwin") return [{ program: "pbcopy", args: [] }]
  if (platform === "win32") return [powerShell(environment, WRITE_CLIPBOARD)]
  // xclip and wl-copy stay behind to serve the clipboard: in a session of their own they outlive this program.
  const apart = (...args: ReadonlyArray<string>): Program => ({ program: "setsid", args: ["--wait", ...args] })
  return [
    ...(has(environment, "WAYLAND_DISPLAY") ? [apart("wl-copy")] : []),
    ...(has(environment, "DISPLAY")
      ? [apart("xclip", "-selection", "clipboard", "-in"), apart("xsel", "--clipboard", "--input")]
      : []),
    // tmux drops the sequence of a program unless `set-clipboard` is on. `-w` passes the text on to its terminal.
    ...(has(environment, "TMUX") ? [{ program: "tmux", args: ["load-buffer", "-w", "-"] }] : []),
  ]
}

/** The programs that print a picture in the clipboard as PNG. */
export const readers = (environment: Environment, platform: NodeJS.Platform): ReadonlyArray<Program> => {
  if (platform === "darwin") return [{ program: "pngpaste", args: ["-"] }]
  if (platform === "win32") return [powerShell(environment, READ_PICTURE)]
  return [
    ...(has(environment, "WAYLAND_DISPLAY") ? [{ program: "wl-paste", args: ["--type", "image/png"] }] : []),
    ...(has(environment, "DISPLAY")
      ? [{ program: "xclip", args: ["-selection", "clipboard", "-target", "image/png", "-out"] }]
      : []),
  ]
}

/** Runs the PowerShell that every Windows has; by default its thread may use the clipboard. */
const powerShell = (environment: Environment, script: string): Program => ({
  program: Windows.systemProgram("WindowsPowerShell\\v1.0\\powershell.exe", environment),
  args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", script],
})

/** `clip.exe` would read the text in the code page of the console. */
const WRITE_CLIPBOARD =
  "[Console]::InputEncoding = New-Object Text.UTF8Encoding $false; Set-Clipboard -Value ([Console]::In.ReadToEnd())"

const READ_PICTURE = [
  "Add-Type -AssemblyName System.Windows.Forms, System.Drawing",
  "$picture = [Windows.Forms.Clipboard]::GetImage()",
  "if ($picture -eq $null) { exit 1 }",
  "$bytes = New-Object IO.MemoryStream",
  "$picture.Save($bytes, [Drawing.Imaging.ImageFormat]::Png)",
  "$bytes.WriteTo([Console]::OpenStandardOutput())",
].join("; ")

const has = (environment: Environment, name: string): boolean => (variable(environment, name, "linux") ?? "") !== ""
