/**
 * Reads references of Elixir off its words: modules by their names and aliases, functions and macros by name and number
 * of arguments, those that a module imports, structs, and types. A module is written `"=A.B".C`, see `modules.ts`;
 * `"=A.B".C.go:2` is its function `go` with two arguments, `"=A.B".C.t;0` its type `t`, and `"=A.B".C.go*` all that a
 * quote in its function `go` imports. Unqualified calls in a quote are not resolved, since the module that uses the
 * macro decides what they mean. This reads the calls of functions; a chain of classes reads the rest, each of which
 * reads more than the one below it: `CallReader`, `NameReader`, `DirectiveReader` and `DefinitionReader`.
 */
import type { CodeSymbol } from "../../Symbols.ts"
import { DefinitionReader } from "./DefinitionReader.ts"
import * as Module from "./Module.ts"
import { isName, reserved } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

class Reader extends DefinitionReader {
  read(): string {
    for (let at = 0; at < this.words.length; ) at = this.readAt(at)
    this.finishPending(0)
    while (this.frames.length > 0) this.pop()
    this.resolveLocals()
    return this.facts.encode()
  }

  /** Reads what begins at a word, and returns the word after it. */
  private readAt(at: number): number {
    const word = this.words.at(at)
    if (this.frame.pending.length > 0 && this.words.endsBefore(at)) this.finishPending(0)
    switch (word) {
      case "(":
      case "[":
      case "{":
      case "<<":
      case "#{":
        this.push({ isBlock: false })
        return at + 1
      case ")":
      case "]":
      case "}":
      case ">>":
      case "#}":
        if (!this.frame.isBlock) this.close(at)
        return at + 1
      case "do":
        this.openBlock()
        return at + 1
      case "fn":
        this.push({ isBlock: true })
        return at + 1
      case "end":
        this.end()
        return at + 1
      case "->":
      case ";":
      case "else":
      case "after":
      case "rescue":
      case "catch":
        this.finishPending(0)
        return at + 1
      case ",":
        this.comma()
        return at + 1
      case "\\\\": {
        const head = this.frame.call?.head
        if (head !== undefined && this.frame.pending.length === 0) head.defaults++
        return at + 1
      }
      case "&":
        return this.captureAt(at + 1)
      case ":":
        // The key `"a b":`, or the atom `:"a b"`.
        if (this.words.at(at - 1) === '"' && !this.words.isSpaced(at)) this.key("")
        return at + 1
      case "__MODULE__":
        return this.aliasAt(at)
    }
    if (word.startsWith("@") && word.length > 1) return this.attributeAt(at)
    if (word.length > 1 && word.endsWith(":") && word !== "::") return this.keyAt(at)
    if (!isName.test(word) || reserved.has(word)) return at + 1
    return Module.isPartOfModule.test(word) ? this.aliasAt(at) : this.nameAt(at)
  }

  /** Reads a name that begins with a small letter. */
  private nameAt(at: number): number {
    const name = this.words.at(at)
    if (this.words.at(at - 1) === ".") return this.callAt(at, at, "", undefined)
    if (definitions.has(name)) return this.definitionAt(at)
    switch (name) {
      case "alias":
      case "require":
      case "import":
      case "use":
        return Module.isPartOfModule.test(this.words.at(at + 1)) || this.isOwnModule(at + 1)
          ? this.directiveAt(at)
          : this.callAt(at, at, name, undefined)
      case "defmodule":
      case "defprotocol":
      case "defimpl":
        return this.moduleAt(at)
    }
    const isTypeVariable = this.isType && this.words.at(at + 1) === "::"
    const isOther = this.isQuoted || isTypeVariable || forms.has(name)
    return this.callAt(at, at, name, isOther ? undefined : { module: undefined, name, isType: this.isType })
  }

  /** Reports the calls without a module, now that all functions and imports of the file are known. */
  private resolveLocals(): void {
    for (const module of this.modules)
      for (const value of Module.importsOf(module).values()) this.facts.export(`${module.number}.*`, value)
    for (const { at, key, module, name } of this.locals) this.useOf(Module.meaningOf(module, name, key), at)
  }
}

const definitions: ReadonlySet<string> = new Set(
  "def defp defmacro defmacrop defguard defguardp defdelegate defn defnp".split(" "),
)

/** Special forms of the language. */
const forms: ReadonlySet<string> = new Set(
  "case cond for receive with try super quote unquote unquote_splicing".split(" "),
)
