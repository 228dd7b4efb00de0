/**
 * The commands with which Windows starts and ends programs: its shell, batch files and process trees. Pure, so that it
 * is tested anywhere.
 */
import * as path from "node:path"
import * as Either from "effect/Either"
import { type Environment, isFullyQualified, variable } from "./Environment.ts"

/** A program and its arguments, which are passed as they are, without quotes around them. */
interface Verbatim {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly isVerbatim: true
}

/**
 * Returns the path of a program of Windows itself. PATH is not searched, since another program of that name may come
 * first there.
 */
export const systemProgram = (name: string, environment: Environment): string => {
  const root = variable(environment, "SYSTEMROOT", "win32") ?? ""
  return path.win32.join(isFullyQualified(root, "win32") ? root : "C:\\Windows", "System32", name)
}

/** Returns the path of cmd.exe: that of COMSPEC, unless it names a shell with another syntax. */
const shell = (environment: Environment): string => {
  const named = variable(environment, "COMSPEC", "win32") ?? ""
  return isFullyQualified(named, "win32") && /[\\/]cmd\.exe$/i.test(named)
    ? named
    : systemProgram("cmd.exe", environment)
}

/**
 * Returns the command that runs a command line of the user. `/d` leaves out the commands of the registry, and `/s`
 * removes only the outer quotes.
 */
export const shellCommand = (line: string, environment: Environment): Verbatim => ({
  program: shell(environment),
  args: ["/d", "/s", "/c", `"${line}"`],
  isVerbatim: true,
})

/** Returns whether only cmd.exe can start a file: npm installs programs as such files. */
export const isBatchFile = (file: string): boolean => /\.(?:bat|cmd)$/i.test(file)

/**
 * Returns the command that starts a batch file. Node refuses to start one, since the rules of quoting of cmd.exe differ
 * from those of programs. These are the rules of Rust's standard library (`append_bat_arg`): everything is quoted that
 * may mean something, a quote is doubled, and after each `%` an empty variable is inserted, so that no name of a
 * variable is left. So no argument becomes a command, even if the batch file passes `%*` on, as those of npm do. `Left`
 * says why the arguments cannot be passed.
 */
export const batchCommand = (
  file: string,
  args: ReadonlyArray<string>,
  environment: Environment,
): Either.Either<Verbatim, string> => {
  if ([file, ...args].some((arg) => /[\0\r\n]/.test(arg))) {
    return Either.left("an argument of a batch file can have neither line breaks nor null characters")
  }
  const line = [quote(file, true), ...args.map((arg) => quote(arg, !/^[\w#$*+\-./:?@\\]*[\w#$*+\-./:?@]$/.test(arg)))]
  const { program, args: words } = shellCommand(line.join(" "), environment)
  const all = ["/e:ON", "/v:OFF", ...words]
  // The quoted path of the shell comes before it.
  const length = program.length + 3 + all.join(" ").length
  return length > MAX_LINE_CHARS
    ? Either.left(`its command line has ${length} characters, and cmd.exe takes ${MAX_LINE_CHARS}`)
    : Either.right({ program, args: all, isVerbatim: true })
}

/**
 * The longest command line of cmd.exe:
 * learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
 */
const MAX_LINE_CHARS = 8_191

/** Quotes an argument. Backslashes before a quote are doubled, since programs read two of them as one there. */
const quote = (arg: string, isQuoted: boolean): string => {
  const mark = isQuoted ? '"' : ""
  const text = arg
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, (slashes) => (isQuoted ? slashes + slashes : slashes))
    .replaceAll("%", "%%cd:~,%")
  return mark + text + mark
}

/**
 * Returns the command that ends a process with all that it has started. It does not ask them to end by themselves,
 * since Windows has no SIGTERM.
 */
export const endTree = (
  pid: number,
  environment: Environment,
): { readonly program: string; readonly args: ReadonlyArray<string> } => ({
  program: systemProgram("taskkill.exe", environment),
  args: ["/pid", String(pid), "/T", "/F"],
})
