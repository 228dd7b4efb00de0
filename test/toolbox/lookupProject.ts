import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as LookupTools from "../../src/toolbox/LookupTools.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"
import { shared } from "../utils/shared.ts"

export const context = {
  node: NodeId.make("n-1"),
  callId: "c1",
  model: new ModelId({ provider: "scripted", name: "test" }),
}

const body = (count: number) => Array.from({ length: count }, (_, n) => `  const step${n} = "step ${n} of sending"`)

export const files = {
  "/repo/src/send.ts": [
    "/** Sends a text to a server, and tries again where that fails. */",
    "export function send(text: string) {",
    "  return pack(text)",
    "}",
    "function pack(text: string) {",
    "  return text.trim()",
    "}",
    "export function long() {",
    ...body(200),
    "}",
  ].join("\n"),
  "/repo/src/use.ts": 'import { send } from "./send.ts"\nexport function greet() {\n  send("a")\n  send("b")\n}\n',
  "/repo/src/wide.ts": Array.from(
    { length: 300 },
    (_, n) => `/** Sends number ${n}. */\nexport const send${n} = ${n}`,
  ).join("\n"),
  "/repo/more/hub.ts": `export function hub() {\n  return 1\n}\n`,
  "/repo/more/index.ts": 'export { hub } from "./hub.ts"\nexport * from "./users.ts"\n',
  "/repo/more/users.ts": `import { hub } from "./hub.ts"\n${Array.from({ length: 60 }, (_, n) => `export const user${n} = () => hub()\n`).join("")}`,
  "/repo/more/keep.py": [
    "class Store:",
    "    def keep(",
    "        self,",
    ...Array.from({ length: 12 }, (_, n) => `        option_with_a_long_name_${n}: str = "a value of ${n}",`),
    "    ) -> None:",
    '        """Keeps them.',
    "",
    ...Array.from({ length: 20 }, (_, n) => `        More of the comment, line ${n}.`),
    '        """',
    ...Array.from({ length: 100 }, (_, n) => `        step_${n} = "the step with the number ${n}"`),
    "",
    "def fill(stores):",
    "    for store in stores:",
    "        store.keep(1)",
  ].join("\n"),
  "/repo/api/posts.ts": "export class PrivsPosts {\n  static canEdit(id: number) {\n    return id > 0\n  }\n}\n",
  "/repo/api/users.ts":
    "export class PrivsUsers {\n  static canEdit(id: number) {\n    return id > 1\n  }\n  static canBan() {\n    return 1\n  }\n}\n",
  "/repo/api/edit.ts": 'import { PrivsUsers } from "./users.ts"\nexport const edit = () => PrivsUsers.canEdit(1)\n',
  "/repo/api/routes.ts": [
    'import { hub } from "../more/hub.ts"',
    "const on = (name: string, run: () => unknown) => [name, run]",
    'on("first", () => {',
    "  hub()",
    "})",
    'on("second", () => {',
    "  hub()",
    "})",
  ].join("\n"),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `/repo/many/m${n}.ts`,
      `export class C${n} {\n  get() {\n    return ${n}\n  }\n}\n`,
    ]),
  ),
  "/repo/test/many.test.ts": "export class Fake {\n  get() {\n    return 1\n  }\n}\n",
  "/repo/notes.txt": "one\ntwo\n\u001b[31mthree\nfour",
}

interface Folder {
  readonly files: Readonly<Record<string, string>>
  readonly isMade: boolean
}

const openProject = ({ files, isMade }: Folder) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    if (isMade) yield* index.refresh
    return { workspace, index, displayPath: (path: string) => path }
  }).pipe(
    // The project is used after this: the layers live as long as it.
    (open) =>
      Effect.flatMap(
        Layer.build(
          Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(files), SharedSymbols.layer)),
        ),
        (services) => Effect.provide(open, services),
      ),
  )

/** No tool here changes it. */
const indexed = shared(openProject({ files, isMade: true }))

/** Calls a tool on an index of these files, or of others. */
export const call = (name: string, parameters: Readonly<Record<string, unknown>>, notice?: string, folder?: Folder) =>
  Effect.gen(function* () {
    const project = yield* folder === undefined ? indexed : openProject(folder)
    const registry = ToolRegistry.make(LookupTools.make(Effect.succeed({ project, notice })))
    return yield* registry.execute({ type: "tool-use", id: "c1", name, parameters }, context)
  }).pipe(Effect.scoped)
