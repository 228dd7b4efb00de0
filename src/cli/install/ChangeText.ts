/** The text that `vibe install` prints about changes. Pure. */
import * as path from "node:path"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Style from "../../base/Style.ts"
import { unifiedDiff } from "../../base/unifiedDiff.ts"
import type * as Install from "../../install/Install.ts"

/** The most characters of a line that are shown: some agents keep everything in one line. */
const MAX_LINE = 400

/**
 * Formats a change as a unified diff. A new file is one from `/dev/null`; a removed file has only the header, since
 * vibe's entry was all it held.
 */
export const diff = ({ target, text }: Install.Change, style: Style.Style): string => {
  const before = { name: target.text === undefined ? "/dev/null" : target.realPath, text: target.text ?? "" }
  if (text === undefined)
    return emphasise(sanitizeLine(`--- ${before.name}`), style) + emphasise("\n+++ /dev/null", style)
  const after = { name: target.realPath, text }
  return (unifiedDiff(before, after) ?? "")
    .split("\n")
    .map((line) => emphasise(sanitizeLine(shorten(line)), style))
    .join("\n")
}

const shorten = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)

const emphasise = (line: string, style: Style.Style): string => {
  if (/^(?:---|\+\+\+|@@) /.test(line)) return style.quiet(line)
  return /^[+-]/.test(line) ? style.strong(line) : line
}

/** The question, and the files to show before it if there are several. Files of a project are relative to it. */
export const question = (
  { scope }: Install.Request,
  changes: ReadonlyArray<Install.Change>,
  isRemoval: boolean,
): { readonly files: ReadonlyArray<string>; readonly text: string } => {
  const removal = changes.every(({ text }) => text === undefined) ? "Remove" : "Change"
  const verb = isRemoval ? removal : "Write"
  const files = changes.map(({ target }) =>
    sanitizeLine(scope === "user" ? target.realPath : path.relative(scope.project, target.realPath)),
  )
  return files.length === 1
    ? { files: [], text: `${verb} ${files[0]}?` }
    : { files, text: `${verb} these ${files.length} files?` }
}

/** One line for a change that was made. */
export const done = ({ target, text }: Install.Change): string => {
  const verb = text === undefined ? "removed" : target.text === undefined ? "made" : "changed"
  return `${verb} ${target.realPath}${target.realPath === target.path ? "" : ` (${target.path} leads there)`}`
}

export const nothingToDo = (
  { agent, name }: Install.Request,
  changes: ReadonlyArray<Install.Change>,
  isRemoval: boolean,
): ReadonlyArray<string> => {
  const [config] = changes
  const file = config === undefined ? "" : config.target.path
  return [
    isRemoval
      ? `nothing to remove: ${agent.title} has no server '${name}' in ${file}`
      : `already installed: ${agent.title} has the server '${name}' in ${file}`,
  ]
}

export const toJson = ({
  changes,
  isWritten,
  request: { agent, name, scope },
}: {
  readonly request: Install.Request
  readonly changes: ReadonlyArray<Install.Change>
  readonly isWritten: boolean
}): object => ({
  agent: agent.name,
  name,
  project: scope === "user" ? null : scope.project,
  isWritten,
  files: changes.map((change) => ({
    subject: change.subject,
    path: change.target.realPath,
    change: kindOf(change),
    diff: change.target.text === change.text ? null : diff(change, Style.plain),
  })),
})

const kindOf = ({ target, text }: Install.Change): string => {
  if (target.text === text) return "none"
  return text === undefined ? "removed" : target.text === undefined ? "made" : "changed"
}
