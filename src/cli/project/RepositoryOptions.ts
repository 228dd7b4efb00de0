/** The options that say in which repositories a command looks up: `--root`, or `--repo`, or `--workspace`. */
import * as Option from "effect/Option"
import { optional, repeated, text } from "../arguments/Parameter.ts"

export const repo = repeated(
  text("repo", "DIR", "Look into this repository, and into each other --repo (NAME=DIR names it)"),
)

export const workspace = optional(
  text("workspace", "FILE", "Look into the repositories of this file (default: the nearest vibe-workspace.toml)"),
)

/** The options as they are typed. */
export interface Chosen {
  readonly root: Option.Option<string>
  readonly repo: ReadonlyArray<string>
  readonly workspace: Option.Option<string>
}

/** Says which of the options cannot be used together; undefined if they can. */
export const conflict = ({ repo, root, workspace }: Chosen): string | undefined => {
  const typed = [
    ...(Option.isSome(root) ? ["'--root'"] : []),
    ...(repo.length > 0 ? ["'--repo'"] : []),
    ...(Option.isSome(workspace) ? ["'--workspace'"] : []),
  ]
  return typed.length < 2 ? undefined : `option ${typed[0]} goes without ${typed.slice(1).join(" and ")}`
}
