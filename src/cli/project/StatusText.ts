/** The state of an index, as text and as an object for `--json`. Pure. */

import { plural, timeOf } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { unbroken, wrap } from "../../base/wrap.ts"
import * as FileClass from "../../code/FileClass.ts"
import * as Coverage from "../../index/Coverage.ts"
import type { Status } from "../../index/IndexStore.ts"
import type { NotOutlined, Unreadable } from "../../index/NotOutlined.ts"
import type { DisplayPath } from "../../lookup/Project.ts"
import { UNLIMITED } from "../../lookup/SymbolText.ts"

/** The facts that `vibe status` prints besides the counts of the index. */
export interface StatusDetails {
  /** Files by language, most first. */
  readonly languages: ReadonlyArray<{ readonly name: string; readonly files: number }>
  /** Source files without symbols. */
  readonly notOutlined: NotOutlined
  readonly unreadable: Unreadable
  /** The number of files that a sparse checkout leaves out; undefined if that was not looked for. */
  readonly notCheckedOut?: number | undefined
  /** When the index was last written, as `2026-11-23T08:00:00.000Z`; undefined for an index in memory. */
  readonly updatedAt: string | undefined
}

/** The object of `vibe status --json`. `coverage` is the share of the major symbols of the code, from 0 to 1. */
export const toJson = (
  root: string,
  status: Status,
  { languages, notCheckedOut, notOutlined, unreadable, updatedAt }: StatusDetails,
): object => ({
  root,
  ...status,
  coverage: coverage(status),
  languages: Object.fromEntries(languages.map(({ files, name }) => [name, files])),
  notOutlined,
  unreadable,
  ...(notCheckedOut !== undefined && { notCheckedOut }),
  updatedAt: updatedAt ?? null,
})

/** Counts the files of each language; files of an unknown language are left out. */
export const countLanguages = (
  files: ReadonlyArray<{ readonly language: string | undefined }>,
): StatusDetails["languages"] => {
  const counts = new Map<string, number>()
  for (const { language } of files) if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  return Array.from(counts, ([name, files]) => ({ name, files })).sort(
    (a, b) => b.files - a.files || (a.name < b.name ? -1 : 1),
  )
}

/**
 * Formats `12 ocaml files, 1 file refused: src/data.ts (binary content), 3 files of unknown kind (2 .dot, 1 .xdy)`;
 * `undefined` if there are none.
 */
export const notOutlined = (
  { languages, refused, refusedFiles, unknown, unknownFiles }: NotOutlined,
  displayPath: DisplayPath,
): string | undefined => {
  const names = refused.map(({ note, path }) => `${displayPath(path)} (${note})`)
  const parts = [
    ...languages.map(({ files, language }) => plural(files, `${language} file`)),
    ...(refusedFiles === 0 ? [] : [`${plural(refusedFiles, "file")} refused: ${listNames(names, refusedFiles)}`]),
    ...(unknownFiles === 0 ? [] : [`${plural(unknownFiles, "file")} of unknown kind (${extensions(unknown)})`]),
  ]
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** Formats `2 .dot, 1 .xdy, …`; a single extension needs no count beside that of the files. */
const extensions = (unknown: NotOutlined["unknown"]): string =>
  [
    ...unknown
      .slice(0, 5)
      .map(({ extension, files }) => `${unknown.length === 1 ? "" : `${files} `}.${sanitizeLine(extension)}`),
    ...(unknown.length > 5 ? ["…"] : []),
  ].join(", ")

/** `a.ts, b.ts, …`: the first of `count` things. */
const listNames = (names: ReadonlyArray<string>, count: number): string =>
  [...names.map(sanitizeLine), ...(count > names.length ? ["…"] : [])].join(", ")

const withoutOutline = (none: NotOutlined, displayPath: DisplayPath): ReadonlyArray<readonly [string, string]> => {
  const text = notOutlined(none, displayPath)
  return text === undefined ? [] : [["no outline", text]]
}

/** Formats `2 files and 1 folder could not be read`; `undefined` if there are none. */
export const unreadable = ({ files, folders }: Unreadable): string | undefined => {
  const counts = [
    ...(files === 0 ? [] : [plural(files, "file")]),
    ...(folders === 0 ? [] : [plural(folders, "folder")]),
  ]
  return counts.length === 0 ? undefined : `${counts.join(" and ")} could not be read`
}

const unread = (of: Unreadable, displayPath: DisplayPath): ReadonlyArray<readonly [string, string]> => {
  const text = unreadable(of)
  return text === undefined
    ? []
    : [["unreadable", `${text}: ${listNames(of.paths.map(displayPath), of.files + of.folders)}`]]
}

export const format = (
  root: string,
  status: Status,
  { languages, notCheckedOut = 0, notOutlined: none, unreadable, updatedAt }: StatusDetails,
  displayPath: DisplayPath,
  columns = UNLIMITED,
): string => {
  const lackOfCode = Coverage.describeLackOfCode(status.classes)
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["folder", sanitizeLine(root)],
    ["files", filesText(status)],
    ...(notCheckedOut === 0
      ? []
      : [
          [
            "left out",
            `${plural(notCheckedOut, "file")} not checked out (git sparse-checkout); their purposes stay`,
          ] as const,
        ]),
    ...(languages.length === 0
      ? []
      : [["languages", languages.map(({ files, name }) => unbroken(`${name} ${files}`)).join(", ")] as const]),
    ...(status.partialFiles === 0
      ? []
      : [["partial", `${plural(status.partialFiles, "file")} only partly outlined, listed by vibe index`] as const]),
    ...unread(unreadable, displayPath),
    ...withoutOutline(none, displayPath),
    ["symbols", `${status.symbols}, of them ${Coverage.describeFocus(status.classes)}`],
    ["purposes", purposesText(status)],
    ["state", stateText(status)],
    [
      "coverage",
      status.majorSymbols === 0
        ? "no major symbols"
        : `${explained(status)}${status.open === 0 ? "" : `, ${status.open} not yet`}${Coverage.describeBeside(status.classes)}`,
    ],
    ...(lackOfCode === undefined ? [] : [["note", lackOfCode] as const]),
    ["on disk", bytes(status.bytesOnDisk)],
    ...(updatedAt === undefined ? [] : [["updated", timeOf(Date.parse(updatedAt))] as const]),
    ...nextSteps(status),
  ]
  return rows
    .flatMap(([name, value]) =>
      wrap(value, columns - NAME_COLUMNS).map((line, at) => `${(at === 0 ? name : "").padEnd(NAME_COLUMNS)}${line}`),
    )
    .join("\n")
}

const NAME_COLUMNS = 11

/**
 * Formats `50 of 179 major symbols in code (27%) are explained by comments`, for `vibe status` and the summary of `vibe
 * index`, so that both say it in the same words. There must be a major symbol.
 */
export const explained = ({
  classes,
  covered,
  majorSymbols,
  purposes: { comment, model },
}: Pick<Status, "classes" | "covered" | "majorSymbols" | "purposes">): string => {
  const sources = [...(model === 0 ? [] : ["models"]), ...(comment === 0 ? [] : ["comments"])].join(" and ")
  const share = percent(coverage({ covered, majorSymbols }))
  const verb = covered === 1 ? "is" : "are"
  const by = covered === 0 || sources === "" ? "" : ` by ${sources}`
  return `${covered} of ${Coverage.describeFocus(classes)} (${share}) ${verb} explained${by}`
}

/** `1070 by a model (6 of them for copies of the same source), 287 from comments`. */
const purposesText = ({ copies, purposes }: Status): string =>
  `${purposes.model} by a model${copies === 0 ? "" : ` (${copies} of them for ${copies === 1 ? "a copy" : "copies"} of the same source)`}, ${purposes.comment} from comments`

/** The commands that explain open symbols, and weak ones. */
const nextSteps = ({ open, weak }: Status): ReadonlyArray<readonly [string, string]> => {
  const steps = [
    ...(open === 0 ? [] : ["vibe index . explains what is open (with --estimate: what that costs)"]),
    ...(weak === 0 ? [] : ["vibe index . --refresh-weak asks again for what is weak"]),
  ]
  return steps.map((step, at) => [at === 0 ? "next" : "", step])
}

/** Formats the state of all purposes: `442 current, 3 weak, 12 stale (the code has changed since)`. */
const stateText = ({ purposes, stale, weak }: Status): string =>
  [
    `${purposes.model + purposes.comment - stale - weak} current`,
    `${weak} weak`,
    `${stale} stale${stale === 0 ? "" : " (the code has changed since)"}`,
  ].join(", ")

/** Formats `233: code 37, tests 68`; the number alone if all are code. */
const filesText = ({ classes, files }: Status): string =>
  classes.code.files === files
    ? String(files)
    : `${files}: ${FileClass.all
        .filter((name) => classes[name].files > 0)
        .map((name) => `${FileClass.plurals[name]} ${classes[name].files}`)
        .join(", ")}`

const percent = (share: number): string => `${Math.floor(share * 100)}%`

/** The share of major symbols that are covered; 1 if there are none. */
export const coverage = ({ covered, majorSymbols }: Pick<Status, "covered" | "majorSymbols">): number =>
  majorSymbols === 0 ? 1 : covered / majorSymbols

const bytes = (count: number): string =>
  count < 1024 * 1024 ? `${Math.ceil(count / 1024)} KB` : `${(count / 1024 / 1024).toFixed(1)} MB`
