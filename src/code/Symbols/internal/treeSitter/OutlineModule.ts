/** The part of a language that tree-sitter's outline needs: its rules, and how a text with syntax errors is parsed once more. */
import type { Tree } from "web-tree-sitter"
import type { Outline } from "../../../Symbols.ts"
import type { Rules } from "../outline/Rules.ts"

export interface OutlineModule {
  readonly rules: Rules
  readonly retry?: Retry
}

/** A parse of a text with its outline. */
export interface Attempt {
  readonly tree: Tree
  readonly text: string
  readonly outline: Outline
}

/**
 * Parses a text once more, changed so that the grammar can read it, and returns the better attempt. `read` parses a text
 * that is as long as the first one, and returns `undefined` if a limit was exceeded.
 */
export type Retry = (first: Attempt, read: (text: string) => Attempt | undefined) => Attempt

/** Returns whether a limit stopped the outline. */
export const isStopped = ({ cut }: Outline): boolean => cut === "work" || cut === "time"
