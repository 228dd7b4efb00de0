#!/usr/bin/env node
/** The entry: prints the version before any large module loads, and checks that Node is new enough. */
import { existsSync, readFileSync } from "node:fs"
import module from "node:module"
import { fileURLToPath } from "node:url"
import * as compileCache from "./compileCache.ts"
import { ownNodeFor, signalsFor } from "./ownNode.ts"

// An import of node:process takes 2 ms, see app/OwnProcess.ts.
const { env } = process

// This file, ownNode.ts and compileCache.ts must run on any Node with modules: no newer
// syntax, no import beyond Node's own.

const version = (): string => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version

/** node:sqlite has FTS5 from 22.16 on. */
const isNewEnough = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 16)
}

const ownNode = fileURLToPath(new URL(ownNodeFor(process.platform), import.meta.url))

const refuse = () => {
  process.stderr.write(`vibe: Node 22.16 or newer is needed, this is ${process.version}\n`)
  process.exitCode = 2
}

/** Runs the same program on another Node, and passes on the terminal, the signals and the exit code. */
const startOn = async (node: string) => {
  const { spawn } = await import("node:child_process")
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" })
  child.on("error", refuse)
  const { isPassedOn, names } = signalsFor(process.platform)
  for (const signal of names) process.on(signal, () => isPassedOn && child.kill(signal))
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1
      return
    }
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const versionWords = ["--version", "-V", "-v", "version"]

/** The answer to `vibe completion SHELL -- =show … =WORD`; none for other command lines. */
const symbolWords = async () => {
  const [command, , separator, ...words] = process.argv.slice(2)
  if (command !== "completion" || separator !== "--" || words[0] !== "=show") return undefined
  // That node:sqlite is experimental.
  process.removeAllListeners("warning")
  const { complete } = await import("./cli/completion/SymbolWords.ts")
  return complete(
    words.map((word) => word.slice(1)),
    process.cwd(),
  )
}

if (process.argv.length === 3 && versionWords.includes(process.argv[2] ?? "")) process.stdout.write(`${version()}\n`)
else if (isNewEnough()) {
  const folder = compileCache.folderFor({ environment: env, user: process.getuid?.() })
  if (folder !== undefined) module.enableCompileCache?.(folder)
  const words = await symbolWords()
  if (words !== undefined) process.stdout.write(`${words.join("\n")}\n`)
  else {
    const { main } = await import("./main.ts")
    main(version())
  }
} else if (existsSync(ownNode)) await startOn(ownNode)
else refuse()
