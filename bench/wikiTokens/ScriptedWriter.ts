/**
 * A scripted model that writes a wiki the way capable models did: it cites numbers that it was given, speaks of lines
 * that it saw, and asks for sources. As a checker it answers by what a request shows: a claim whose lines are not among
 * those shown is not decided. All chances come from digests of texts, so that each run gives the same answers.
 */
import * as Effect from "effect/Effect"
import { sha256 } from "../../src/base/Text.ts"
import * as Message from "../../src/message/Message.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Material from "../../src/wiki/writing/Material.ts"
import type { Project } from "../../src/wiki/writing/Project.ts"

/** The evidence of a claim: a line of a file, or a text that stands in a document or a comment. */
interface Ground {
  readonly path: string
  readonly line: number
  readonly text: string
}

interface Symbol {
  readonly path: string
  readonly name: string
  readonly start: number
  readonly lines: ReadonlyArray<string>
  /** The lines of the comment above it. */
  readonly comment: ReadonlyArray<string>
}

/**
 * A capable model chose 52 sources for 11 parts, some of the longest and some of any length: they took 1,300 tokens a
 * part.
 */
const CHOSEN = { longest: 1, others: 4 }

/** The share of claims that hold, and that of those beside them that are corrected; the rest is dropped. */
const HOLDS = 0.85
const PARTLY = 0.95

/**
 * The shares of claims that a checker does not decide although it was shown the line: at a first look and at a further
 * one if the source is cut elsewhere, and at a first one if it is whole. With them an eighth of all claims is looked
 * at again, as capable models did.
 */
const UNSURE = { first: 0.25, again: 0.1, whole: 0.04 }

/** The claims of a part, as in the wikis of bench/staleness and in those that were written by hand. */
const CLAIMS = { least: 9, most: 15 }

/**
 * How many symbols a claim cites beside the deciding one: 442 statements of two wikis that were written by hand had
 * 1,084 citations, those of pointers among them.
 */
const citedBeside = (key: string): number => {
  const chance = chanceOf("beside", key)
  return chance < 0.35 ? 0 : chance < 0.7 ? 1 : chance < 0.92 ? 2 : 3
}

/** The steps of a flow, between 6 and 11. */
const STEPS = { least: 6, most: 11 }

const chanceOf = (...keys: ReadonlyArray<string | number>): number =>
  Number.parseInt(sha256(keys.join("\0")).slice(0, 8), 16) / 0x1_0000_0000

const pick = <A>(from: ReadonlyArray<A>, ...keys: ReadonlyArray<string | number>): A | undefined =>
  from[Math.floor(chanceOf(...keys) * from.length)]

const between = ({ least, most }: { least: number; most: number }, key: string): number =>
  least + Math.floor(chanceOf("count", key) * (most - least + 1))

const messageOf = ({ messages }: Request): string => messages.map((message) => Message.text(message)).join("\n")

/** Lines of a body that a claim may speak of. */
const speaks = (line: string): boolean =>
  /[\p{L}_]{4,}/u.test(line) && !/^\s*(?:import|from|use|require|end\b|[#/*]|"""|''')/.test(line)

/** Identifiers of a line as a sentence has them: divided into words, and only some of them. */
const wordsOf = (text: string, key: string): ReadonlyArray<string> =>
  Array.from(new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []))
    .flatMap((name) => name.split(/_|(?<=[a-z])(?=[A-Z])/))
    .filter((word) => word.length > 2)
    .filter((word) => chanceOf("word", key, word) < 0.6)
    .slice(0, 7)

/** The characters of a statement of usual length. */
const LENGTH = 160

/** Returns words that make a text about as long as statements are. */
const padding = (text: string): string => {
  const words = FILLERS.flatMap((word, at) => [word, FILLERS[(at * 5 + text.length) % FILLERS.length] ?? ""])
  let all = ""
  for (const word of [...words, ...words]) if (text.length + all.length < LENGTH) all += ` ${word}`
  return all
}

const FILLERS = "when the given value is not set and only then before it returns unless".split(" ")

/** Reads all symbols and documents of a project, and returns its model. */
export const make = <E>(project: Project<E>): Effect.Effect<(request: Request) => Scripted.Turn, E> =>
  Effect.gen(function* () {
    const symbols = new Map<string, Symbol>()
    for (const path of project.files) {
      for (const item of yield* project.symbolsIn(path)) {
        const { entry } = item
        const source = yield* project.sourceOf(item)
        if (entry === undefined || source === undefined) continue
        const key = `${path}\0${Material.nameOf(item)}`
        // The lists of a request have no lines by which symbols of one name could be told apart.
        if (symbols.has(key)) continue
        symbols.set(key, {
          path,
          name: entry.qualifiedName,
          start: entry.startLine,
          lines: source.split("\n"),
          comment: (entry.doc ?? "").split("\n").filter((line) => line.trim() !== ""),
        })
      }
    }
    const grounds = new Map<string, ReadonlyArray<Ground>>()
    const script = (request: Request): Scripted.Turn => {
      const name = request.tools[0]?.name ?? ""
      const message = messageOf(request)
      switch (name) {
        case "write_plan":
          return answer(name, planOf(message))
        case "choose_sources":
          return answer(name, { c: choiceOf(message) })
        case "write_parts":
          return answer(name, {
            pages: describedIn(message).map((text, at) => ({ part: at + 1, ...partOf(text, symbols, grounds) })),
          })
        case "write_flows":
          return answer(name, {
            flows: describedIn(message).map((text, at) => ({ flow: at + 1, ...flowOf(text, symbols, grounds) })),
          })
        case "write_start_page":
          return answer(name, startOf(message, grounds))
        default:
          return answer(name, check(message, grounds))
      }
    }
    return script
  })

/** Divides a request into what it shows of each part or flow to describe. */
const describedIn = (message: string): ReadonlyArray<string> =>
  message.split(/^(?=(?:Part|Flow) \d+ to describe: )/m).slice(1)

const answer = (name: string, args: Record<string, unknown>): Scripted.Turn => Scripted.calls([name, args])

/** The parts and flows of a plan: 13 to 15 parts and 5 or 6 flows in the wikis that were written by hand. */
const PARTS = 15
const FLOWS = 6

/** Groups neighbouring units into parts, and takes candidates from all over as flows. */
const planOf = (message: string) => {
  const units = Array.from(message.matchAll(/^(\d+)\. (\S+?)(?: \([^)]*\))?: \d+ files?/gm))
  const count = Math.min(PARTS, units.length)
  const size = units.length / Math.max(1, count)
  return {
    parts: Array.from({ length: count }, (_, at) => {
      const own = units.slice(Math.round(at * size), Math.round((at + 1) * size))
      const [, , path = "all"] = own[0] ?? []
      return {
        title: path.replace(/\/$/, "").split("/").at(-1),
        line: `What the code in ${path} is for, and how its pieces work together.`,
        units: own.map(([, number]) => Number(number)),
      }
    }),
    flows: spread(Array.from(message.matchAll(/^\[(\d+)\] (\S+) in /gm)), FLOWS).map(([, number, name]) => ({
      title: `What happens when ${name} is called`,
      start: Number(number),
    })),
  }
}

/** Chooses so many from all over a list. */
const spread = <A>(from: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  from.filter((_, at) => Math.floor((at * most) / from.length) !== Math.floor(((at - 1) * most) / from.length))

/** Chooses some symbols of each part. */
const choiceOf = (message: string): ReadonlyArray<number> =>
  message.split(/^The part /m).flatMap((text) => {
    const [title = ""] = text.split("\n")
    const byLines = Array.from(text.matchAll(/^(\d+)\. \S+ (\d+)(?= |$)/gm), ([, number, lines]) => ({
      number: Number(number),
      lines: Number(lines),
    })).toSorted((one, other) => other.lines - one.lines)
    const others = byLines
      .slice(CHOSEN.longest)
      .toSorted((one, other) => chanceOf("choice", title, one.number) - chanceOf("choice", title, other.number))
    return [...byLines.slice(0, CHOSEN.longest), ...others.slice(0, CHOSEN.others)].map(({ number }) => number)
  })

interface Listed {
  readonly number: number
  readonly symbol: Symbol
  /** The lines of the calls that a request names. */
  readonly calls: ReadonlyArray<number>
}

/** The lines of sources below `[17] name in path:` or `[17] name:`, without their indentation, by the number. */
const sourcesIn = (message: string): ReadonlyMap<number, ReadonlySet<string>> => {
  const sources = new Map<number, ReadonlySet<string>>()
  for (const [, number, body = ""] of message.matchAll(/^\[(\d+)\] [^\n]*:\n"""\n([\s\S]*?)\n"""$/gm)) {
    sources.set(Number(number), linesIn(body))
  }
  return sources
}

const linesIn = (body: string): ReadonlySet<string> => new Set(body.split("\n").map((line) => line.trim()))

const partOf = (
  message: string,
  symbols: ReadonlyMap<string, Symbol>,
  grounds: Map<string, ReadonlyArray<Ground>>,
): Record<string, unknown> => {
  const found: Array<{ readonly number: number; readonly symbol: Symbol; readonly used: ReadonlyArray<string> }> = []
  let path = ""
  for (const line of listIn(message)) {
    const file = /^(?!\[)(\S+?)(?: \(only compiled if .*\))?:$/.exec(line)?.[1]
    if (file !== undefined) path = file
    const [, number, name = ""] = /^\[(\d+)\] (\S+)/.exec(line) ?? []
    const symbol = symbols.get(`${path}\0${line.endsWith(`] ${name}`) ? name.replace(/:$/, "") : name}`)
    if (symbol === undefined) continue
    found.push({ number: Number(number), symbol, used: / → ([^→]*)$/.exec(line)?.[1]?.split(", ") ?? [] })
  }
  const nameOf = (used: string) =>
    (found.find(({ number }) => String(number) === used)?.symbol.name ?? used).split(".").at(-1) ?? ""
  const listed = found.map(({ number, symbol, used }): Listed => {
    const calls = used.flatMap((each) => {
      const at = symbol.lines.findIndex((text, at) => at > 0 && text.includes(nameOf(each)))
      return at === -1 ? [] : [symbol.start + at]
    })
    return { number, symbol, calls }
  })
  const title = /^Part \d+ to describe: (.*)$/m.exec(message)?.[1] ?? ""
  const shown = sourcesIn(message)
  const withSource = listed.filter(({ number }) => shown.has(number))
  const claims = Array.from({ length: between(CLAIMS, title) }, (_, at) => {
    const key = `${title} ${at}`
    // A capable model writes most of what sources show, several claims of a telling function.
    const from = withSource.length > 0 && chanceOf("shown", key) < 0.7 ? withSource : listed
    const first = pick(from, "first", key)
    if (first === undefined) return []
    const own = groundOf(first, shown.get(first.number), key)
    const others = Array.from({ length: citedBeside(key) }, (_, number) => {
      const members = listed.filter(({ symbol }) => symbol.path === first.symbol.path)
      return pick(chanceOf("near", key, number) < 0.6 ? members : listed, "other", key, number) ?? first
    }).filter((other) => other !== first)
    const [second] = others
    const also =
      second !== undefined && chanceOf("both", key) < 0.5 ? groundOf(second, shown.get(second.number), key) : []
    const all = [...own, ...also]
    const text = textOf(first.symbol.name, all, key)
    grounds.set(text, all)
    const c = Array.from(new Set([first, ...others].map(({ number }) => number)))
    return [`${text} [${c.join(",")}]`]
  }).flat()
  const paragraphs = Array.from({ length: Math.ceil(claims.length / 3) }, (_, at) => claims.slice(3 * at, 3 * at + 3))
  const change = listed.slice(0, 3).map(({ number, symbol }) => `How ${symbol.name} works [${number}]`)
  return { paragraphs, change }
}

/** The lines that list the files of a part and their symbols, without the sources below some of these. */
const listIn = (message: string): ReadonlyArray<string> => {
  const lines = message.replaceAll(/^"""\n[\s\S]*?\n"""$/gm, "").split("\n")
  const end = lines.findIndex((line) => /^(?:References|Topics|Data):$/.test(line))
  return end === -1 ? lines : lines.slice(0, end)
}

/** A line of the source if it was shown, or of a call, or else of the comment. */
const groundOf = (
  { calls, symbol }: Listed,
  shown: ReadonlySet<string> | undefined,
  key: string,
): ReadonlyArray<Ground> => {
  const { comment, lines, path, start } = symbol
  const isComment = comment.length > 0 && chanceOf("comment", key) < 0.2
  const visible = lines.flatMap((line, at) => (at > 0 && speaks(line) && shown?.has(line.trim()) ? [start + at] : []))
  const line = isComment ? undefined : pick(visible.length > 0 ? visible : calls, "line", key)
  if (line !== undefined && lines[line - start] !== undefined) return [{ path, line, text: lines[line - start] ?? "" }]
  // Only the beginning of a comment is shown to the writer.
  const said = comment[0]
  if (said === undefined) return [{ path, line: start, text: lines[0] ?? "" }]
  const at = lines.findIndex((text) => text.includes(said.trim()))
  return [{ path, line: at === -1 ? 0 : start + at, text: said }]
}

const textOf = (name: string, grounds: ReadonlyArray<Ground>, key: string): string => {
  const words = grounds.flatMap(({ text }) => wordsOf(text, key))
  const own = words.flatMap((word, at) =>
    at % 2 === 0 ? [word] : [FILLERS[(at * 7 + key.length) % FILLERS.length], word],
  )
  const more = `${FILLERS.slice(0, 6 + (key.length % 7)).join(" ")} ${sha256(key).slice(0, 4)}`
  const text = `\`${name}\` ${own.join(" ")} ${more}`
  return `${text}${padding(text)}.`
}

const flowOf = (
  message: string,
  symbols: ReadonlyMap<string, Symbol>,
  grounds: Map<string, ReadonlyArray<Ground>>,
): Record<string, unknown> => {
  const byNumber = new Map<number, Symbol>()
  const calls: Array<{ readonly depth: number; readonly line: number | undefined; readonly number: number }> = []
  const [tree = ""] = message.split(/^Sources:$/m)
  const callers: Array<Symbol | undefined> = []
  for (const text of tree.split("\n")) {
    const [, indent = "", line, number, name] = /^( *)(?:(\d+): )?\[(\d+)\] (\S+)/.exec(text) ?? []
    if (number === undefined) continue
    const depth = indent.length
    calls.push({ depth, line: line === undefined ? undefined : Number(line), number: Number(number) })
    const named = Array.from(symbols.values()).filter((each) => each.name === name)
    const path = new RegExp(`^\\[${number}\\] \\S+ in (\\S+):$`, "m").exec(message)?.[1] ?? callers[depth - 1]?.path
    const symbol = named.find((each) => each.path === path) ?? named[0]
    if (symbol !== undefined) byNumber.set(Number(number), symbol)
    callers[depth] = symbol
  }
  const title = /^Flow \d+ to describe: (.*)$/m.exec(message)?.[1] ?? ""
  const shown = sourcesIn(message)
  const chosen = calls.filter(({ depth }) => depth <= 3).slice(0, between(STEPS, title))
  const steps = chosen.map(({ depth, line, number }, at) => {
    const key = `${title} ${at}`
    const caller = calls
      .slice(
        0,
        calls.findIndex((call) => call.number === number),
      )
      .findLast((call) => call.depth < depth)
    const symbol = byNumber.get(number)
    const calling = caller && byNumber.get(caller.number)
    const all: Array<Ground> = []
    if (line !== undefined && calling !== undefined) {
      all.push({ path: calling.path, line, text: calling.lines[line - calling.start] ?? "" })
    }
    if (symbol !== undefined && (all.length === 0 || chanceOf("callee", key) < 0.6)) {
      all.push(...groundOf({ number, symbol, calls: [] }, shown.get(number), key))
    }
    const text = textOf(symbol?.name ?? "it", all, key)
    grounds.set(text, all)
    return `${text} [${[number, ...(caller === undefined ? [] : [caller.number])].join(",")}]`
  })
  return { steps }
}

const startOf = (message: string, grounds: Map<string, ReadonlyArray<Ground>>): Record<string, unknown> => {
  const said = Array.from(message.matchAll(/^ {2}- (.*) \[(\d[^\]]*)\]$/gm), ([, text = "", cited = ""]) => ({
    text,
    c: Array.from(cited.matchAll(/(?:^|, )(\d+) /g), ([, number]) => Number(number)),
  }))
  /** Says the same as a statement of another page in other words. */
  const again = (key: string): ReadonlyArray<{ t: string; c: ReadonlyArray<number> }> => {
    const one = pick(said, key)
    if (one === undefined) return []
    const t = `${one.text.replace(/ \w{4}\.$/, "")} ${sha256(key).slice(0, 4)}.`
    grounds.set(t, grounds.get(one.text) ?? [])
    return [{ t, c: one.c.slice(0, 2) }]
  }
  const inText = ({ c, t }: { readonly t: string; readonly c: ReadonlyArray<number> }) => `${t} [${c.join(",")}]`
  const edges = Array.from(message.matchAll(/^(\d+) → (\d+): \d+ \(\[(\d+)\] → \[(\d+)\]/gm))
  const titles = new Map(
    Array.from(message.matchAll(/^Part (\d+): ([^:\n]*)/gm), ([, number, title]) => [number, title]),
  )
  const documents = Array.from(message.matchAll(/^\[(\d+)\] (\S+) \(whole file\)((?:\n {2}(?! \[)\S[^\n]*)*)/gm))
  const items = Array.from(message.matchAll(/^ {2}\[(\d+)\] (\S+)/gm))
  return {
    what: ["what 1", "what 2", "what 3"].flatMap(again).map(inText),
    depends: edges.slice(0, 5).map(([, from, to, one, other]) => ({
      from: Number(from),
      to: Number(to),
      t: `${titles.get(from)} uses ${titles.get(to)} to do its work.`,
      c: [Number(one), Number(other)],
    })),
    terms: Array.from({ length: 7 }, (_, at) =>
      again(`term ${at}`).map((each) => ({ ...each, term: `word ${at}` })),
    ).flat(),
    change: items.slice(0, 6).map(([, number, name]) => `How ${name} works [${number}]`),
    entry: ["entry 1", "entry 2", "entry 3"].flatMap(again).map(inText),
    run: documents
      .filter(([, , , lines = ""]) => lines.trim() !== "")
      .slice(0, 3)
      .map(([, number, path = "", lines = ""]) => {
        const line = lines.trim().split("\n")[0]?.trim() ?? ""
        const t = `It is run with ${wordsOf(line, path).join(" ")}, as ${path} says.`
        grounds.set(t, [{ path, line: 0, text: line.slice(0, 30) }])
        return `${t} [${number}]`
      }),
  }
}

interface Shown {
  readonly path: string
  readonly lines: ReadonlySet<string>
  readonly text: string
  readonly isCut: boolean
}

const check = (message: string, grounds: Map<string, ReadonlyArray<Ground>>): Record<string, unknown> => {
  const [list = "", ...rest] = message.split(/^Sources:$/m)
  const sources = new Map<string, Shown>()
  let [place, label, isQuoted] = ["", "", false]
  const bodies = new Map<string, { readonly path: string; readonly body: Array<string> }>()
  for (const line of rest.join("").split("\n")) {
    const file = isQuoted ? undefined : /^In (\S+)(?: \(only compiled if .*\))?:$/.exec(line)?.[1]
    const [, next, short] = (isQuoted ? undefined : /^([SRU]\d+)(?: .*?)?:(?: """(.*)""")?$/.exec(line)) ?? []
    if (file !== undefined) place = file
    else if (next !== undefined) {
      label = next
      bodies.set(label, { path: place, body: short === undefined ? [] : [short] })
    } else bodies.get(label)?.body.push(line)
    if (line === '"""') isQuoted = !isQuoted
  }
  for (const [key, { body, path }] of bodies) {
    const text = body.join("\n")
    sources.set(key, { path, lines: linesIn(text), text, isCut: /^…|…$/m.test(text) })
  }
  const holds: Array<number> = []
  const partly: Array<{ i: number; old: string; new: string }> = []
  const not: Array<number> = []
  const unseen: Array<number> = []
  for (const [, number, text = "", labels = ""] of list.matchAll(/^(\d+)\. (.*) \(([^()]*)\)$/gm)) {
    const i = Number(number)
    const own = labels.split(", ").flatMap((label) => sources.get(label) ?? [])
    const isHeld = own.some((source) => /^held: /m.test(source.text))
    const needed = grounds.get(text.replace(/^\*[^*]+\*: /, ""))
    const isSeen =
      needed === undefined || isHeld
        ? own.length > 0
        : needed.every(({ line, path, text: said }) =>
            Array.from(sources.values()).some(
              (source) =>
                (source.path === path && line > 0 && source.lines.has(said.trim())) ||
                source.text.includes(said.trim().slice(0, 60)),
            ),
          )
    const isCut = own.some((source) => source.isCut)
    const round = message.includes("These statements are not decided yet") ? "again" : "first"
    const chance = chanceOf("verdict", text)
    const unsure = isCut ? UNSURE[round] : round === "first" ? UNSURE.whole : 0
    if (!isSeen || chanceOf("unsure", round, text) < unsure) unseen.push(i)
    else if (chance < HOLDS) holds.push(i)
    else if (chance < PARTLY) {
      const old = text.split(" ").slice(-4).join(" ")
      partly.push({ i, old, new: `${old.replace(/\.$/, "")}, unless it is not set.` })
    } else not.push(i)
    if (needed !== undefined) grounds.set(`${text.replace(/\.$/, "")}, unless it is not set.`, needed)
  }
  return { holds: rangesOf(holds), partly, not, unseen }
}

/** Writes numbers in their order as ranges: `1-5, 7`. */
const rangesOf = (numbers: ReadonlyArray<number>): string => {
  const starts = numbers.filter((number) => !numbers.includes(number - 1))
  const ends = numbers.filter((number) => !numbers.includes(number + 1))
  return starts.map((start, at) => (start === ends[at] ? `${start}` : `${start}-${ends[at]}`)).join(", ")
}
