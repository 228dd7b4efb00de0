/** Haskell. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import { character } from "../patterns/common.ts"

/** `= Leaf`, `| Node Int` */
const plainConstructor =
  /[=|]\s*(?:forall[^.\n]{0,100}\.\s*)?(?:[^=|{}\n]{1,100}=>\s*)?!?(?<name>[A-Z][\w']*)[^|{}\n]*/g

/** A constructor with its type: `Leaf :: Tree a`. */
const typedConstructor = /(?<=\n[ \t]+)(?<name>[A-Z][\w']*)\s*::[^\n]*/g

/** The operator of `a <> b = …`, which defines it as `(<>) a b = …` does. */
const infix =
  /(?!(?:module|import|infix|infixl|infixr|type|data|newtype|class|let|in|if|then|else|case|of|do)\b)(?:[a-z_][\w']*|\([^()\n]{1,100}\)|[A-Z][\w']*)[ \t]+(?!(?:=|\||::|->|<-|=>|@|\\)[ \t])(?<name>[-+*/%=<>!&|^~?:.$#@\\]{1,10})[ \t]+[^\n=|]{1,200}(?=\s[=|](?![=|]))/y

/** `{ size :: Int, left, right :: Tree }`: the first of the names that share a type. */
const field = /(?<=[{,]\s{0,200})(?<name>[a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*){0,20}\s*::[^,}\n]*/g

export const patterns: Patterns = {
  literals: [
    { open: "--+(?![!#$%&*+./<=>?@\\\\^|~:])", kind: "comment" },
    { open: "\\{-", close: "-}", kind: "comment", nests: true },
    { open: '"', close: '"', escapes: true },
    // A prime belongs to the name before it: `foldl' x'`.
    { ...character, open: `(?<![\\w'])${character.open}` },
  ],
  ends: "indentation",
  declarations: [
    {
      kind: "class",
      isLeaf: true,
      members: [plainConstructor, typedConstructor, field],
      pattern: /(?:data|newtype)\s+(?:(?:instance|family)\s+)?(?:[^=\n]{1,200}=>\s*)?(?<name>[A-Z][\w']*)/y,
    },
    { kind: "type", pattern: /type\s+(?:(?:instance|family)\s+)?(?<name>[A-Z][\w']*)/y },
    {
      kind: "scope",
      pattern:
        /(?<lead>instance\s+(?:\{-[^}]{0,50}-\}\s*)?(?:[^=\n]{1,200}=>\s*)?[A-Z][\w.']*[ \t]+[([ \t]*(?<owner>[A-Z][\w']*|->)[^\n=]{0,200}?)(?=\s+where\b|\s*$|\n)/my,
    },
    { kind: "interface", pattern: /class\s+(?:[^=\n]{1,200}=>\s*)?(?<name>[A-Z][\w']*)/y },
    {
      kind: "clause",
      pattern: infix,
      name: (match) => `(${/[-+*/%=<>!&|^~?:.$#@\\]+(?=[ \t])/.exec(match)?.[0] ?? ""})`,
    },
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
