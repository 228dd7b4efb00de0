/** Runs `vibe merge-driver`. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { FileError, NotAFile } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import * as LineBytes from "../../index/LineBytes.ts"
import * as PurposeMerge from "../../index/PurposeMerge.ts"
import * as PurposesFile from "../../index/PurposesFile.ts"
import * as Git from "../../review/Git.ts"
import * as EvidenceMerge from "../../wiki/EvidenceMerge.ts"
import * as WikiStore from "../../wiki/WikiStore.ts"
import { DamagedPurposes } from "../CommandError.ts"
import * as Reviewed from "../review/Reviewed.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.merge-driver")(function* ({ ancestor, install, ours, root, theirs }: Input) {
  const { out } = yield* Screen.Screen
  if (install && Option.isSome(ancestor)) return yield* usageError("--install takes no files")
  if (install) return yield* setUp(root)
  if (Option.isNone(ancestor)) return yield* Screen.line(out, GUIDE)
  if (Option.isNone(ours) || Option.isNone(theirs)) {
    return yield* usageError("three files are merged: the ancestor, ours and theirs")
  }
  yield* mergeFiles(ancestor.value, ours.value, theirs.value)
})

const usageError = (message: string) => new UsageError({ message, command: "merge-driver" })

/**
 * Merges as Git asks of a merge driver: the result replaces ours, and the exit code is 0, or 1 if a conflict is left in
 * it. Lines that are no records keep their bytes, and ours keeps its byte order mark.
 */
const mergeFiles = Effect.fnUntraced(function* (base: string, ours: string, theirs: string) {
  const files = yield* Files.Files
  const read = (file: string) =>
    Effect.map(Files.readAll(path.resolve(file), { most: PurposesFile.MAX_BYTES }), (bytes) => ({
      bytes,
      ...LineBytes.decode(bytes),
    }))
  const [before, one, other] = [yield* read(base), yield* read(ours), yield* read(theirs)]
  const sides = { base: before.text, ours: one.text, theirs: other.text }
  const isEvidence = EvidenceMerge.isEvidence(sides)
  const merged = isEvidence ? EvidenceMerge.merge(sides) : PurposeMerge.merge(sides)
  const folder = yield* files.realPath(path.dirname(path.resolve(ours)))
  yield* files.write(path.join(folder, path.basename(ours)), LineBytes.encode({ mark: one.mark, text: merged.text }), {
    bytes: one.bytes,
  })
  if (merged.damaged > 0)
    return yield* new DamagedPurposes({
      lines: merged.damaged,
      file: isEvidence ? WikiStore.STATEMENTS : PurposesFile.PATH,
    })
})

const MERGE = "vibe merge-driver %O %A %B"

const LINES = "git merge-file -L ours -L base -L theirs %A %O %B"

/**
 * The command for the shell that Git starts drivers with. If a driver does not start, Git leaves ours alone without a
 * mark, and the next `git add` would lose what theirs has. So the command merges by lines if vibe or its Node is not
 * found (127), or if vibe fails (2).
 */
const DRIVER = `${MERGE}; code=$?; if [ $code -gt 1 ]; then ${LINES}; code=$?; fi; exit $code`

/** Earlier forms of the command, which are renewed. */
const FORMER = new Set([MERGE, `if command -v vibe >/dev/null 2>&1; then ${MERGE}; else git merge-file %A %O %B; fi`])

/** The lines for the attributes file in the folder of the index. */
const ATTRIBUTES = [
  `/${PurposesFile.PATH} merge=vibe`,
  `/${PurposesFile.FOLDER}/*.jsonl merge=vibe`,
  `/${WikiStore.STATEMENTS} merge=vibe`,
]

const GUIDE = [
  "Git can merge .vibe/purposes.jsonl, the files of .vibe/purposes and .vibe/wiki/statements.jsonl by vibe, so that two branches never conflict in them.",
  "",
  "Once, to be committed, three lines of .gitattributes beside .vibe:",
  ...ATTRIBUTES.map((line) => `  ${line}`),
  "In each clone:",
  `  git config merge.vibe.driver '${DRIVER}'`,
  "",
  "'vibe merge-driver --install' does both. A clone without it, or without vibe, merges line by line, as Git does.",
].join("\n")

const setUp = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const { err, out } = yield* Screen.Screen
  const { folder } = yield* Reviewed.find(root)
  const attributes = path.join(folder, ".gitattributes")
  const isNew = yield* addLines(attributes)
  // One that the user has set, such as `npx vibe merge-driver …`, stays.
  const known = yield* Git.ask(folder, ["config", "--get", "merge.vibe.driver"])
  const isOurs = known === undefined || known === DRIVER || FORMER.has(known)
  const isNewDriver = isOurs && known !== DRIVER
  if (isNewDriver) {
    yield* Git.read(folder, ["config", "--local", "merge.vibe.name", "vibe: purposes by symbol"])
    yield* Git.read(folder, ["config", "--local", "merge.vibe.driver", DRIVER])
  }
  yield* Screen.line(
    out,
    sanitizeLine(
      isNewDriver
        ? `set merge.vibe.driver of this clone to '${DRIVER}'`
        : `merge.vibe.driver is set already, to '${known}'`,
    ),
  )
  yield* Screen.line(
    out,
    sanitizeLine(
      isNew
        ? `added the lines for ${PurposesFile.PATH}, ${PurposesFile.FOLDER} and ${WikiStore.STATEMENTS} to ${attributes}; commit it`
        : `${attributes} has the lines for ${PurposesFile.PATH}, ${PurposesFile.FOLDER} and ${WikiStore.STATEMENTS} already`,
    ),
  )
  if (isOurs && !(yield* isOnPath(folder))) {
    yield* Screen.line(
      err,
      "vibe: warning: Git finds no 'vibe' on PATH, and merges line by line until 'npm install --global vibe-index' has installed it",
    )
  }
})

/** Asks the shell of Git, which runs the driver. What npx or a script of npm adds to PATH is not there later. */
const isOnPath = (folder: string) =>
  Effect.map(
    Git.ask(folder, ["-c", "alias.vibe-on-path=!command -v vibe", "vibe-on-path"]),
    (file) => file !== undefined && file !== "" && !file.includes("/node_modules/.bin/"),
  )

/**
 * Adds the lines that an attributes file lacks. Returns whether there were any. A link is refused: it
 * may lead to any file of the user.
 */
const addLines = Effect.fnUntraced(function* (file: string) {
  const files = yield* Files.Files
  const stat = yield* Effect.option(files.stat(file))
  if (stat._tag === "Some" && stat.value.kind !== "file") {
    return yield* new FileError({ path: file, reason: new NotAFile() })
  }
  const bytes = stat._tag === "None" ? undefined : yield* Files.readAll(file, { most: MAX_ATTRIBUTES_BYTES })
  const text = bytes === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  const known = new Set(text.split(/\r?\n/).map((line) => line.trim()))
  const missing = ATTRIBUTES.filter((line) => !known.has(line))
  if (missing.length === 0) return false
  const end = text === "" || text.endsWith("\n") ? "" : "\n"
  yield* files.write(file, `${text}${end}${missing.map((line) => `${line}\n`).join("")}`, { bytes })
  return true
})

const MAX_ATTRIBUTES_BYTES = 1_000_000
