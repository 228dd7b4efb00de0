/** The description of a setting, and how its value is read. */
import * as Config from "effect/Config"
import type * as Option from "effect/Option"
import type * as ValueType from "./internal/valueType.ts"

/** A setting as users see it. */
export interface Setting {
  /** The environment variable. */
  readonly name: string
  /** The variable that is read if the first one is not set. */
  readonly otherName?: string | undefined
  /** The key in a configuration file, such as `defaults.temperature`; undefined if only the environment can set it. */
  readonly key?: string | undefined
  /** The description, a noun phrase in Markdown. Code is in backticks, which `vibe --help` leaves out. */
  readonly description: string
  /** The default, as text. */
  readonly builtIn?: string | undefined
  /** True if users are shown only that it is set. */
  readonly isSecret?: boolean | undefined
  /** True if `vibe help settings` leaves it out. */
  readonly isRare?: boolean | undefined
}

/** A setting that only the environment can set. */
export interface EnvironmentSetting<A> extends Setting {
  readonly key?: undefined
  readonly type: ValueType.ValueType<A>
}

/**
 * The configuration files that may set a setting: the user's and a project's, or the user's alone. A project's file
 * came with its code, so others wrote it. `userOnly` completes the error message "only your own configuration file can
 * say".
 */
type Scope = "project" | { readonly userOnly: string }

/** An entry that a configuration file can set. */
export interface FileEntry<A> {
  /** The environment variable, or the root of the paths that stand for a table. */
  readonly name: string
  readonly key: string
  readonly type: ValueType.FileType<A>
  readonly scope: Scope
  /** True if the table around the key must have it. */
  readonly isRequired?: boolean | undefined
}

/** A setting that the environment and a configuration file can set. */
export interface FileSetting<A> extends Omit<Setting, "key" | "isSecret">, FileEntry<A> {
  readonly isSecret?: undefined
}

/** Reads a setting. Fails if it is not set. */
export const read = <A>({
  name,
  otherName,
  type,
}: Pick<EnvironmentSetting<A>, "name" | "otherName" | "type">): Config.Config<A> =>
  otherName === undefined ? type.config(name) : Config.orElse(type.config(name), () => type.config(otherName))

/** Reads a setting that may not be set. */
export const readOptional = <A>(
  setting: Pick<EnvironmentSetting<A>, "name" | "otherName" | "type">,
): Config.Config<Option.Option<A>> => Config.option(read(setting))
