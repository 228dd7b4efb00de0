/** Other programs that answer questions about code, as they come out of the box, by what they print. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Place } from "./Bm25.ts"

export interface Tool {
  readonly name: string
  /** Makes what it needs in a copy of the checkout. */
  readonly prepare: (root: string) => void
  readonly ask: (root: string, question: string, most: number) => Printed
}

export interface Printed {
  readonly places: ReadonlyArray<Place>
  /** Of everything that was printed: what an agent would read. */
  readonly bytes: number
}

/** They report to their makers otherwise. */
const env = { ...process.env, DO_NOT_TRACK: "1", CODEGRAPH_TELEMETRY: "0" }

export const print = (command: string, args: ReadonlyArray<string>, cwd: string, mayFail = false): string => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 1e9 })
  if (error !== undefined) throw error
  if (status !== 0 && !mayFail) throw new Error(`${command} ${args.join(" ")}: exit ${status}\n${stderr}`)
  return stdout
}

const definition = /(?:^|\s)(?:def|class|function)\s+(\w+)/

/** What is in the JSON of other programs, as far as it is read here. */
interface ProbeOutput {
  readonly results: ReadonlyArray<{ file: string; code: string; lines: readonly [number, number] }>
}

interface Node {
  readonly filePath: string
  readonly name: string
  readonly startLine: number
  readonly endLine: number
}

const probe = (command: string): Tool => ({
  name: "probe search",
  prepare: () => undefined,
  ask: (root, question, most) => {
    const words = ["search", question, ".", "--max-results", String(most)]
    // It fails where nothing matches.
    const json = print(command, [...words, "--format", "json"], root, true)
    const start = json.indexOf("{")
    const { results }: ProbeOutput = start < 0 ? { results: [] } : JSON.parse(json.slice(start))
    return {
      bytes: Buffer.byteLength(print(command, words, root, true)),
      places: results.map(({ code, file, lines: [startLine, endLine] }) => ({
        path: path.relative(root, path.resolve(root, file)),
        symbol: definition.exec(code)?.[1] ?? "",
        startLine,
        endLine,
      })),
    }
  },
})

const codegraphQuery = (command: string): Tool => ({
  name: "CodeGraph query",
  prepare: (root) => void print(command, ["init", "."], root),
  ask: (root, question, most) => {
    const json = print(command, ["query", question, "--limit", String(most), "--json"], root, true)
    const nodes: ReadonlyArray<Node & { readonly node?: Node }> = json.trim() === "" ? [] : JSON.parse(json)
    return {
      bytes: Buffer.byteLength(print(command, ["query", question, "--limit", String(most)], root, true)),
      places: nodes.map(({ node, ...own }) => {
        const { endLine, filePath, name, startLine } = node ?? own
        return { path: filePath, symbol: name, startLine, endLine }
      }),
    }
  },
})

/** Markdown: a list of symbols with file and line, then pieces of files with numbers of lines. */
const placesOf = (markdown: string): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  let file = ""
  let symbol = ""
  let startLine: number | undefined
  let endLine = 0
  const flush = () => {
    if (file !== "" && startLine !== undefined) places.push({ path: file, symbol, startLine, endLine })
    startLine = undefined
    symbol = ""
  }
  for (const line of markdown.split("\n")) {
    const [, named, at, number] = /^- `([^`]+)` \(([^)]+):(\d+)\) —/.exec(line) ?? []
    const [, heading] = /^\*\*`([^`]+)`\*\*/.exec(line) ?? []
    const [, numbered, code] = /^(\d+)\t(.*)/.exec(line) ?? []
    if (named !== undefined && at !== undefined)
      places.push({ path: at, symbol: named, startLine: Number(number), endLine: Number(number) })
    else if (heading !== undefined) {
      flush()
      file = heading
    } else if (numbered !== undefined) {
      const [, defined] = definition.exec(code ?? "") ?? []
      if (defined !== undefined) {
        flush()
        symbol = defined
      }
      startLine ??= Number(numbered)
      endLine = Number(numbered)
    } else if (line.startsWith("... (gap)")) flush()
  }
  flush()
  return places
}

const codegraphExplore = (command: string): Tool => ({
  name: "CodeGraph explore",
  prepare: (root) => void print(command, ["init", "."], root),
  ask: (root, question) => {
    const markdown = print(command, ["explore", question], root, true)
    return { bytes: Buffer.byteLength(markdown), places: placesOf(markdown) }
  },
})

/**
 * Those of a folder that `npm install --prefix FOLDER @colbymchenry/codegraph@1.6.1 @probelabs/probe@0.6.0-rc325` has
 * made. Without a folder there are none.
 */
export const peersIn = (folder: string | undefined): ReadonlyArray<Tool> => {
  if (folder === undefined) return []
  const tools = [
    ["probe", [probe]],
    ["codegraph", [codegraphExplore, codegraphQuery]],
  ] as const
  return tools.flatMap(([name, make]) => {
    const command = path.resolve(folder, "node_modules/.bin", name)
    if (!fs.existsSync(command)) process.stderr.write(`absent: ${command}\n`)
    return fs.existsSync(command) ? make.map((tool) => tool(command)) : []
  })
}
