/** Haskell. */
import type { Patterns } from "../Declarations.ts"
import { character } from "./common.ts"

export const haskell: Patterns = {
  literals: [
    { open: "--+(?![!#$%&*+./<=>?@\\\\^|~:])", kind: "comment" },
    { open: "\\{-", close: "-}", kind: "comment", nests: true },
    { open: '"', close: '"', escapes: true },
    character,
  ],
  ends: "indentation",
  declarations: [
    {
      kind: "class",
      isLeaf: true,
      pattern: /(?:data|newtype)\s+(?:(?:instance|family)\s+)?(?:[^=\n]{1,200}=>\s*)?(?<name>[A-Z][\w']*)/y,
    },
    { kind: "type", pattern: /type\s+(?:(?:instance|family)\s+)?(?<name>[A-Z][\w']*)/y },
    { kind: "interface", pattern: /class\s+(?:[^=\n]{1,200}=>\s*)?(?<name>[A-Z][\w']*)/y },
    {
      kind: "clause",
      pattern:
        /(?!(?:module|import|instance|deriving|infix|infixl|infixr|foreign|default|where|pattern|type|data|newtype|class|let|in|if|then|else|case|of|do)\b)(?<name>[a-z_][\w']*(?![\w'])|\([-+*/%=<>!&|^~?:.$#@\\]{1,10}\))(?=(?:\s*,\s*[\w']+){0,20}\s*::|[^\n]{0,500}?\s[=|](?![=|])|[^\n=]{0,500}\n[ \t]+[=|](?![=|]))/y,
    },
  ],
  imports: /import\s+(?:safe\s+)?(?:qualified\s+)?([A-Z][\w.]*)/y,
  keywords:
    "as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance let module newtype of qualified then type where",
}
