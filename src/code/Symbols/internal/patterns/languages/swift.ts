/** Swift. */
import type { Patterns } from "../Declarations.ts"
import { atAnnotation, backtickName, line, modifiers, nestedSlashComments } from "./common.ts"

export const swift: Patterns = {
  literals: [
    ...nestedSlashComments,
    backtickName,
    { open: '(?<!#)#+"""', close: (open) => [...open].reverse().join("") },
    { open: '(?<!#)#+"', close: (open) => [...open].reverse().join("") },
    { open: '"""', close: '"""', escapes: true, code: "\\(" },
    line('"', "\\("),
  ],
  ends: "line",
  annotation: atAnnotation,
  modifiers: modifiers(
    "public (?:public|private|internal|fileprivate|package)\\(set\\) private fileprivate internal open package static class(?=\\s+(?:func|var|let|subscript|override)) final lazy weak unowned(?:\\(\\w+\\))? override mutating nonmutating required convenience dynamic optional indirect prefix postfix infix nonisolated(?:\\(\\w+\\))? async distributed isolated borrowing consuming",
  ),
  declarations: [
    { kind: "class", pattern: /(?:class|struct|actor)\s+(?<name>\w+|`[^`\n]+`)/y },
    { kind: "interface", pattern: /protocol\s+(?<name>\w+)/y },
    { kind: "enum", pattern: /enum\s+(?<name>\w+)/y },
    { kind: "scope", pattern: /extension\s+(?<owner>[\w.]+)/y },
    { kind: "function", pattern: /func\s+(?<name>\w+|`[^`\n]+`|[-+*/%=<>!&|^~?]{1,10})\s*(?=[(<])/y },
    { kind: "method", in: "type", pattern: /(?<name>init|subscript)[?!]?\s*(?=[(<])/y },
    { kind: "method", in: "type", pattern: /(?<name>deinit)\b/y },
    { kind: "type", pattern: /(?:typealias|associatedtype)\s+(?<name>\w+)/y },
    { kind: "constant", pattern: /let\s+(?<name>\w+|`[^`\n]+`)/y },
    { kind: "variable", pattern: /var\s+(?<name>\w+|`[^`\n]+`)/y },
  ],
  imports: /(?:@\w+\s+)?import\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)/y,
  isPrivate: /\b(?:private|fileprivate)\s/,
  keywords:
    "actor any as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is lazy let mutating nil nonisolated open operator optional override postfix prefix private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet",
}
