/**
 * Two processes that write to one forest at once and are killed, again and again, at moments drawn from a seed. After
 * each pair: `vibe loom verify` finds nothing, and what is there is what was told to be kept, to the letter; of what
 * was under way either all or nothing. `Killed.test.ts` does it with a few, `bench/forestKilled.ts` with many.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Effect, Layer, Random } from "effect"
import type { Bookmark } from "../../src/forest/Bookmark.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import type { Change } from "../../src/forest/JournalEntry.ts"
import type { Node, Root } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { vibe } from "../program/vibe.ts"

/** The log of `killed.writer.ts`. */
export type Told = AboutToKeep | { readonly type: "kept"; readonly operation: string }

export interface AboutToKeep {
  readonly type: "about to keep"
  readonly operation: string
  readonly planted: ReadonlyArray<Root>
  readonly inserted: ReadonlyArray<Node>
  readonly changes: ReadonlyArray<Change>
}

/**
 * When the first writer is killed: `delay` milliseconds after it started, or after it kept its first operation, which
 * holds on a machine of any speed. The second is killed `pause` milliseconds later.
 */
export interface Moment {
  readonly after: "start" | "first operation"
  readonly delay: number
  readonly pause: number
}

/** So many, of each kind in turn: the same for the same seed. */
export const moments = (seed: string, count: number): Effect.Effect<ReadonlyArray<Moment>> =>
  Effect.forEach(Array(count).keys(), (n) =>
    Effect.gen(function* () {
      const after = n % 4 === 0 ? "start" : "first operation"
      // Some write long enough for the log of the database to be emptied into it meanwhile.
      const delay = yield* Random.nextIntBetween(0, after === "start" ? 800 : n % 4 === 1 ? 2000 : 400)
      // Every other time both at once.
      return { after, delay, pause: n % 2 === 0 ? 0 : yield* Random.nextIntBetween(1, 150) } as const
    }),
  ).pipe(Effect.withRandom(Random.make(seed)))

export interface Outcome {
  readonly kills: number
  /** Operations, and the nodes that they made, that were reported as stored. */
  readonly operations: number
  readonly nodes: number
  /** Operations that were under way when their process was killed: found to be kept, and not. */
  readonly underWay: { readonly kept: number; readonly gone: number }
  /** Nodes that are missing, differ, or should not be there. */
  readonly lost: ReadonlyArray<string>
  /** The problems that `vibe loom verify` prints. */
  readonly unclean: ReadonlyArray<string>
  /** Failures of a writer before it was killed, and files that should not be there. */
  readonly broken: ReadonlyArray<string>
}

/** All of them on one forest, in order. `program`: in place of the one that is built for tests. */
export const killedAt = (moments: ReadonlyArray<Moment>, seed: string, program?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const cwd = yield* temporaryFolder
      const file = path.join(cwd, "forest", "forest.db")
      const log = path.join(cwd, "log")
      const [lost, unclean, broken]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
      let [operations, nodes, kept, gone] = [0, 0, 0, 0]
      let state: State = { roots: new Map(), nodes: new Map(), bookmarks: new Map() }

      for (const [n, moment] of moments.entries()) {
        fs.writeFileSync(log, "")
        const writer = (name: string, moment: Moment) => killedWriter([file, log, name, `${seed} ${n} ${name}`], moment)
        const later = { ...moment, delay: moment.delay + moment.pause }
        const wrong = yield* Effect.all([writer("one", moment), writer("other", later)], { concurrency: 2 })
        broken.push(...wrong.flat())
        // Both writers may have been killed before either made the file, or even its folder.
        if (fs.existsSync(file)) {
          const verified = yield* vibe(["loom", "verify", "--forest", file], { cwd, bin: program })
          if (verified.code !== 0 || !verified.stdout.startsWith("all is well")) {
            unclean.push(`kill ${n}: ${verified.stdout}${verified.stderr}`)
          }
        }
        const left = fs.existsSync(path.dirname(file)) ? fs.readdirSync(path.dirname(file)) : []
        const others = left.filter((name) => name !== "forest.db")
        if (others.length > 0) broken.push(`kill ${n}: left are ${others.join(" ")}`)

        const { acknowledged, told } = readLog(log)
        operations += acknowledged.size
        nodes += told.reduce(
          (sum, { inserted, operation }) => sum + (acknowledged.has(operation) ? inserted.length : 0),
          0,
        )
        const found = yield* everything(file)
        const unsure = told.filter(({ operation }) => !acknowledged.has(operation)).map(({ operation }) => operation)
        const meant = subsets(unsure)
          .map((keeping) => ({
            keeping,
            state: told
              .filter(({ operation }) => acknowledged.has(operation) || keeping.includes(operation))
              .reduce(after, state),
          }))
          .find(({ state }) => isDeepStrictEqual(there(state), found))
        if (meant === undefined) {
          const expected = told.filter(({ operation }) => acknowledged.has(operation)).reduce(after, state)
          lost.push(...differences(there(expected), found).map((what) => `kill ${n}: ${what}`))
          break
        }
        state = meant.state
        kept += meant.keeping.length
        gone += unsure.length - meant.keeping.length
      }
      const outcome: Outcome = {
        kills: moments.length,
        operations,
        nodes,
        underWay: { kept, gone },
        lost,
        unclean,
        broken,
      }
      return outcome
    }),
  )

/** Says what it did wrong before it was killed. */
const killedWriter = (args: ReadonlyArray<string>, { after, delay }: Moment) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    // Node 22 warns of its SQLite, which is nothing that the writer did wrong.
    const child = spawn(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      path.join(import.meta.dirname, "killed.writer.ts"),
      ...args,
    ])
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
    })
    const kill = () => setTimeout(() => child.kill("SIGKILL"), delay)
    if (after === "start") kill()
    else onFirstOperation(child, kill)
    child.on("close", (code, signal) =>
      resume(
        Effect.succeed(signal === "SIGKILL" && said === "" ? [] : [`a writer ended with ${code ?? signal}: ${said}`]),
      ),
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const onFirstOperation = (child: ChildProcess, then: () => void) => child.stdout?.once("data", then)

/** Everything that there is or was, by id or title. */
interface State {
  readonly roots: ReadonlyMap<string, Root & { readonly removed: boolean }>
  readonly nodes: ReadonlyMap<string, Node & { readonly removed: boolean }>
  readonly bookmarks: ReadonlyMap<string, Bookmark>
}

const after = (state: State, { changes, inserted, planted }: AboutToKeep): State => {
  const roots = new Map(state.roots)
  const nodes = new Map(state.nodes)
  const bookmarks = new Map(state.bookmarks)
  for (const root of planted) roots.set(root.id, { ...root, removed: false })
  for (const node of inserted) nodes.set(node.id, { ...node, removed: false })
  for (const change of changes) {
    switch (change.type) {
      case "planted":
      case "uprooted": {
        const root = roots.get(change.root)
        if (root !== undefined) roots.set(root.id, { ...root, removed: change.type === "uprooted" })
        break
      }
      case "added":
      case "removed": {
        const node = nodes.get(change.node)
        if (node !== undefined) nodes.set(node.id, { ...node, removed: change.type === "removed" })
        break
      }
      case "changed":
        nodes.set(change.after.id, { ...change.after, removed: false })
        break
      case "moved": {
        const node = nodes.get(change.node)
        if (node !== undefined) nodes.set(node.id, { ...node, parent: change.to })
        break
      }
      case "bookmarked":
        if (change.after !== undefined) bookmarks.set(change.after.title, change.after)
        else if (change.before !== undefined) bookmarks.delete(change.before.title)
    }
  }
  return { roots, nodes, bookmarks }
}

/** By what it is and its id or title. */
type There = ReadonlyMap<string, unknown>

const there = ({ bookmarks, nodes, roots }: State): There =>
  new Map<string, unknown>([
    ...present(roots).map((root): [string, unknown] => [`root ${root.id}`, root]),
    ...present(nodes).map((node): [string, unknown] => [`node ${node.id}`, node]),
    ...Array.from(bookmarks, ([title, bookmark]): [string, unknown] => [`bookmark ${title}`, bookmark]),
  ])

const present = <A extends { readonly removed: boolean }>(all: ReadonlyMap<string, A>) =>
  Array.from(all.values()).flatMap(({ removed, ...rest }) => (removed ? [] : [rest]))

/** As a process of its own finds it. */
const everything = (file: string) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const roots = yield* forest.roots()
    const nodes = yield* Effect.forEach(roots, ({ id }) => forest.subtree(id))
    const found: There = new Map<string, unknown>([
      ...roots.map((root): [string, unknown] => [`root ${root.id}`, root]),
      ...nodes.flat().map((node): [string, unknown] => [`node ${node.id}`, node]),
      ...(yield* forest.bookmarks).map((bookmark): [string, unknown] => [
        `bookmark ${bookmark.title}`,
        plain(bookmark),
      ]),
    ])
    return found
  }).pipe(Effect.provide(Layer.fresh(Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer])))))

/** Without its class. */
const plain = (value: object): unknown => ({ ...value })

const readLog = (log: string) => {
  const lines = fs.readFileSync(log, "utf8").split("\n").slice(0, -1)
  const all: ReadonlyArray<Told> = lines.map((line) => JSON.parse(line))
  const acknowledged = new Set(all.flatMap((told) => (told.type === "kept" ? [told.operation] : [])))
  return { acknowledged, told: all.filter((told) => told.type === "about to keep") }
}

/** The empty one comes first. */
const subsets = <A>([first, ...rest]: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  first === undefined ? [[]] : subsets(rest).flatMap((set) => [set, [first, ...set]])

const differences = (expected: There, found: There): ReadonlyArray<string> => [
  ...Array.from(expected).flatMap(([name, value]) => {
    if (!found.has(name)) return [`${name} is not there`]
    if (isDeepStrictEqual(found.get(name), value)) return []
    return [`${name} is ${JSON.stringify(found.get(name))} and should be ${JSON.stringify(value)}`]
  }),
  ...Array.from(found.keys()).flatMap((name) => (expected.has(name) ? [] : [`${name} is there`])),
]
