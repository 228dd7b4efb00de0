/** Elixir. */
import type { Patterns } from "../Declarations.ts"
import { line, lineComment } from "./common.ts"

const doc = "@(?:module|type)?doc\\s+(?:~[sS])?"

export const elixir: Patterns = {
  literals: [
    { open: `${doc}"""`, close: '"""', escapes: true, kind: "doc" },
    { open: `${doc}"`, close: '"', escapes: true, kind: "doc" },
    { open: '(?:~[a-zA-Z])?"""', close: '"""', escapes: true },
    { open: "(?:~[a-zA-Z])?'''", close: "'''", escapes: true },
    { open: "~[a-zA-Z]/(?:[^/\\\\\\n]|\\\\.)*/", close: "" },
    { open: "~[a-zA-Z]\\[[^\\]\\n]*\\]", close: "" },
    { open: "~[a-zA-Z]\\([^)\\n]*\\)", close: "" },
    { open: "~[a-zA-Z]\\{[^}\\n]*\\}", close: "" },
    { open: "~[a-zA-Z]\\|[^|\\n]*\\|", close: "" },
    { open: "\\?\\\\?[\"'#]", close: "" },
    { open: '"', close: '"', escapes: true, code: "#{" },
    line("'"),
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
  isPrivate: /^(?:defp|defmacrop|defguardp|defnp|@typep)\b/,
  keywords:
    "after alias and case catch cond def defdelegate defexception defguard defguardp defimpl defmacro defmacrop defmodule defoverridable defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue super throw true try unless unquote use when with",
}
