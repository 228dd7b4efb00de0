/** A small shop in TypeScript with an index in memory, and a model that answers each kind of request by a function. */
import { Effect, Layer, Scope } from "effect"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { readProject } from "../../../src/wiki/writing/readProject.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"

export const shop: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA shop for garden tools.\n\n```sh\nnpm test\n```\n",
  "package.json": '{ "name": "shop", "description": "A shop", "scripts": { "test": "vitest run" } }\n',
  "src/cart/cart.ts": `import { priceOf } from "../price/price.ts"

/** Adds an article to a cart, unless it is sold out. */
export function addToCart(cart: string[], article: string): string[] {
  if (priceOf(article) === 0) return cart
  return [...cart, article]
}

/** Sums the prices of a cart. */
export function totalOf(cart: string[]): number {
  return cart.reduce((sum, article) => sum + priceOf(article), 0)
}
`,
  "src/price/price.ts": `const prices = new Map([["spade", 20]])

/** The price of an article; 0 if it is sold out. */
export function priceOf(article: string): number {
  return prices.get(article) ?? 0
}
`,
  "src/order/order.ts": `import { totalOf } from "../cart/cart.ts"
import { send } from "../mail/mail.ts"

/** Places an order for what is in a cart, and confirms it by mail. */
export function placeOrder(cart: string[], mail: string): number {
  const total = totalOf(cart)
  if (total === 0) return 0
  send(mail, "You pay " + total)
  return total
}
`,
  "src/mail/mail.ts": `/** Sends a mail. */
export function send(to: string, text: string): void {
  setTimeout(() => deliver(to, text), 0)
}

function deliver(to: string, text: string): void {
  console.log(to, text)
}
`,
}

const root = "/shop"

const openFiles = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(layer(files))
    return yield* Effect.provide(openShop, context)
  })

const openShop = Effect.gen(function* () {
  const workspace = yield* Workspace.open(root)
  const store = yield* IndexStore.IndexStore
  const index = yield* store.open(workspace)
  yield* index.refresh
  const project = yield* readProject(index, workspace)
  return { index, workspace, project }
})

const layer = (files: Readonly<Record<string, string>>) =>
  Sqlite.layerMemory.pipe(
    Layer.provide(SharedSymbols.layer),
    Layer.provideMerge(
      Files.layerMemory(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]))),
    ),
  )

/** Opens files once for all tests of a thread that change nothing of them. They are never closed: all is in memory. */
export const openedOnce = (files: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Effect.cached(
      Effect.uninterruptible(Effect.flatMap(Scope.make(), (scope) => Scope.extend(openFiles(files), scope))),
    ),
  )

const openedShop = openedOnce(shop)

/** Opens the index of some files, refreshed, and what a writer reads of them. */
export const open = (files?: Readonly<Record<string, string>>) => (files === undefined ? openedShop : openFiles(files))

export const messageOf = (request: Request): string => {
  const [message] = request.messages
  return message === undefined ? "" : Message.text(message)
}

/** Returns the number of a symbol in a message. */
export const numberIn = (request: Request, symbol: string): number => {
  const name = symbol.replaceAll(".", "\\.")
  const found = new RegExp(`(?:\\[(\\d+)\\]|^(\\d+)\\.) ${name}(?:[ :]|$)`, "m").exec(messageOf(request))
  return Number(found?.[1] ?? found?.[2] ?? Number.NaN)
}

export type Answers = Partial<Record<Kind, (request: Request) => Scripted.Line>>

export type Kind =
  | "write_plan"
  | "choose_sources"
  | "write_start_page"
  | "write_parts"
  | "write_flows"
  | "check_statements"

export const kindOf = (request: Request): Kind => {
  const name = request.tools[0]?.name
  switch (name) {
    case "write_plan":
    case "choose_sources":
    case "write_start_page":
    case "write_parts":
    case "write_flows":
    case "check_statements":
      return name
    default:
      throw new Error(`unexpected tool ${name}`)
  }
}

const calls = (name: Kind, args: Record<string, unknown>): Scripted.Turn => Scripted.calls([name, args])

/** Units in the message of a plan, by their paths. */
const unitsIn = (request: Request): ReadonlyMap<string, number> =>
  new Map(
    Array.from(messageOf(request).matchAll(/^(\d+)\. (\S+?)(?: \([^)]*\))?: \d+ files?/gm), ([, number, path = ""]) => [
      path,
      Number(number),
    ]),
  )

/** Divides a request into what it shows of each part or flow to describe. */
export const describedIn = (request: Request): ReadonlyArray<string> =>
  messageOf(request)
    .split(/^(?:Part|Flow) \d+ to describe: /m)
    .slice(1)

/** The symbol of the first numbered line below the files of a part. */
const firstSymbol = (described: string): number => Number(/^ *(?:\d+: )?\[(\d+)\] /m.exec(described)?.[1])

/** Answers as a sound model does: four parts, one flow, a true statement for each, and all statements hold. */
export const sound: Required<Answers> = {
  write_plan: (request) =>
    calls("write_plan", {
      parts: Array.from(unitsIn(request), ([path, number]) => ({
        title: path.split("/")[1],
        line: `What ${path} is for`,
        units: [number],
      })),
      flows: messageOf(request).includes("There are no candidates")
        ? []
        : [{ title: "What happens when an order is placed", start: 1 }],
    }),
  choose_sources: () => calls("choose_sources", { c: [1] }),
  write_start_page: (request) =>
    calls("write_start_page", {
      what: [{ t: "A shop for garden tools.", c: [numberIn(request, "placeOrder")] }],
      depends: [],
      terms: [{ term: "*shopping_cart*:", t: "A list of articles.", c: [numberIn(request, "addToCart")] }],
      change: [{ t: "A price", c: [numberIn(request, "priceOf")] }],
      entry: [],
      run: [],
    }),
  write_parts: (request) =>
    calls("write_parts", {
      pages: describedIn(request).map((text, at) => ({
        part: at + 1,
        paragraphs: [[`It does its work. [${firstSymbol(text)}]`]],
        change: [`How it works [${firstSymbol(text)}]`],
      })),
    }),
  write_flows: (request) =>
    calls("write_flows", {
      flows: [
        {
          flow: 1,
          steps: [
            { t: "The order is summed.", c: [numberIn(request, "totalOf"), numberIn(request, "placeOrder")] },
            {
              t: "If it costs something, a mail is sent.",
              c: [numberIn(request, "send"), numberIn(request, "placeOrder")],
            },
          ],
        },
      ],
    }),
  check_statements: (request) => {
    const [list = ""] = messageOf(request).split("\nSources:")
    const numbers = Array.from(list.matchAll(/^(\d+)\. /gm), ([, number]) => Number(number))
    return calls("check_statements", { holds: numbers, partly: [], not: [] })
  },
}

/** A model that answers by the kind of the request, and the requests that it received. */
export const model = (answers: Answers = {}) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const service = yield* Scripted.make((request) => {
      requests.push(request)
      const kind = kindOf(request)
      return (answers[kind] ?? sound[kind])(request)
    })
    return { model: service, requests }
  })
