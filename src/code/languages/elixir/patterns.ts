/** Elixir. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import { line, lineComment } from "../patterns/common.ts"

const doc = "@(?:module|type)?doc\\s+(?:~[sS])?"

/** The brackets and quotes around the content of a sigil. */
const delimiter = "[\\/|(\\[{<\"']"

const closings: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" }

const closing = (open: string): string => closings[open.slice(-1)] ?? open.slice(-1)

export const patterns: Patterns = {
  literals: [
    { open: `${doc}"""`, close: '"""', escapes: true, kind: "doc" },
    { open: `${doc}"`, close: '"', escapes: true, kind: "doc" },
    { open: `(?:~[a-z])?"""`, close: '"""', escapes: true, code: "#{" },
    { open: `~[A-Z][A-Z0-9]*"""`, close: '"""', escapes: true },
    { open: "(?:~[a-z])?'''", close: "'''", escapes: true, code: "#{" },
    { open: "~[A-Z][A-Z0-9]*'''", close: "'''", escapes: true },
    { open: `~[a-z]${delimiter}`, close: closing, escapes: true, code: "#{" },
    { open: `~[A-Z][A-Z0-9]*${delimiter}`, close: closing, escapes: true },
    // A character: `?a`, `?\\n`, `?"`.
    { open: "(?<![\\w?!])\\?(?:\\\\[^]|[^\\s\\\\])", close: "" },
    { open: '"', close: '"', escapes: true, code: "#{" },
    line("'", "#{"),
    lineComment("#"),
  ],
  words: { open: "(?<![:.@\\w])(?:do|fn)\\b(?!:)", close: "(?<![:.@\\w])end\\b(?!:)" },
  ends: "line",
  annotation: /@(?:spec|impl|deprecated|since|dialyzer|tag|doc)\b[^\n]*(?:\n[ \t]+(?![ \t]|def|@|end)[^\n]*){0,20}/y,
  declarations: [
    { kind: "module", pattern: /defmodule\s+(?<name>[\w.]+)/y },
    { kind: "interface", pattern: /defprotocol\s+(?<name>[\w.]+)/y },
    { kind: "scope", pattern: /defimpl\s+(?<owner>[\w.]+)/y },
    {
      kind: "clause",
      pattern:
        /(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn|defnp)\s+(?:unquote\()?(?<name>[a-z_]\w*[?!]?)/y,
    },
    { kind: "type", pattern: /@(?:type|typep|opaque)\s+(?<name>\w+)/y },
    { kind: "clause", pattern: /@(?:callback|macrocallback)\s+(?<name>\w+[?!]?)/y },
  ],
  imports: /(?:import|alias|require|use)\s+([A-Z][\w.]*)/y,
  // The lines above it in the module: attributes, aliases, or modules with documents of their own.
  beforeInnerDoc:
    /(?:do)?(?:[ \t]*\n){1,20}(?<indent>[ \t]+)(?![ \t])(?:(?=@moduledoc\s)|[^\n]*(?:\n(?:(?=[ \t]*\n)|(?![ \t]*\n)\k<indent>)[^\n]*){0,150}?\n\k<indent>(?=@moduledoc\s))/y,
  isPrivate: /^(?:defp|defmacrop|defguardp|defnp|@typep)\b/,
  keywords:
    "after alias and case catch cond def defdelegate defexception defguard defguardp defimpl defmacro defmacrop defmodule defoverridable defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue super throw true try unless unquote use when with",
}
