/** All commands, a line for each, grouped by the tasks of a user, in the order in which help lists them. */
import { affected } from "./affected/command.ts"
import { group } from "./arguments/Command.ts"
import { ask } from "./ask/command.ts"
import { chat } from "./chat/command.ts"
import { check } from "./check/command.ts"
import { completion } from "./completion/command.ts"
import { config } from "./config/command.ts"
import { diff } from "./diff/command.ts"
import { discover } from "./discover/command.ts"
import { index } from "./index/command.ts"
import { install } from "./install/command.ts"
import { map } from "./map/command.ts"
import { mcp } from "./mcp/command.ts"
import { mergeDriver } from "./merge-driver/command.ts"
import { models } from "./models/command.ts"
import { prd } from "./prd/command.ts"
import { query } from "./query/command.ts"
import { serve } from "./serve/command.ts"
import { show } from "./show/command.ts"
import { status } from "./status/command.ts"
import { entry, type Table } from "./Table.ts"
import { watch } from "./watch/command.ts"
import { wiki } from "./wiki/command.ts"
import { worker } from "./worker/command.ts"

const code = () => import("./layers/CodeLayer.ts")
const codeWithGit = async () => ({ layer: (await code()).withGit })
const review = () => import("./layers/ReviewLayer.ts")
const files = () => import("../code/Files/Node.ts")

/** A command of which `run.ts` has the layer too, since that is short. */
const both = <Module>(load: () => Promise<Module>) => ({ run: load, layer: load })

/** Commands whose words are read without @effect/cli: people and agents wait for each of their answers. */
const isQuick = true

/** Commands that end, or give their first answer, so soon that V8 need not optimise them before. */
const isShort = true

const loom = group("loom", "Read, branch, search and continue stored conversations")

export const commands: Table = [
  {
    heading: "Index and find",
    rows: [
      entry({ command: index, isQuick, run: () => import("./index/run.ts"), layer: () => import("./index/layer.ts") }),
      entry({
        command: query,
        isQuick,
        isShort,
        run: () => import("./query/run.ts"),
        layer: () => import("./query/layer.ts"),
      }),
      entry({
        command: show,
        isQuick,
        isShort,
        run: () => import("./show/run.ts"),
        layer: () => import("./show/layer.ts"),
      }),
      entry({ command: map, isQuick, isShort, run: () => import("./map/run.ts"), layer: code }),
      entry({ command: wiki, ...both(() => import("./wiki/run.ts")) }),
      entry({ command: diff, run: () => import("./diff/run.ts"), layer: review }),
      entry({ command: affected, run: () => import("./affected/run.ts"), layer: review }),
    ],
  },

  {
    heading: "Talk",
    rows: [
      entry({ command: ask, run: () => import("./ask/run.ts"), layer: () => import("./ask/layer.ts") }),
      entry({ command: chat, run: () => import("./chat/run.ts"), layer: () => import("./chat/layer.ts") }),
      entry({ command: prd, ...both(() => import("./prd/run.ts")) }),
      entry({ command: discover, run: () => import("./discover/run.ts"), layer: () => import("./discover/layer.ts") }),
      { command: loom, load: () => import("./loom/commands.ts") },
    ],
  },

  {
    heading: "Share and serve",
    rows: [
      entry({ command: serve, run: () => import("./serve/run.ts"), layer: () => import("./serve/layer.ts") }),
      entry({
        command: mcp,
        isQuick,
        isShort,
        run: () => import("./mcp/run.ts"),
        layer: () => import("./mcp/layer.ts"),
      }),
      entry({ command: install, ...both(() => import("./install/run.ts")) }),
      entry({ command: worker, ...both(() => import("./worker/run.ts")) }),
      entry({ command: mergeDriver, run: () => import("./merge-driver/run.ts"), layer: review }),
    ],
  },

  {
    heading: "Look after",
    rows: [
      entry({ command: status, isQuick, isShort, run: () => import("./status/run.ts"), layer: codeWithGit }),
      entry({ command: watch, ...both(() => import("./watch/run.ts")) }),
      entry({ command: check, ...both(() => import("./check/run.ts")) }),
      entry({ command: models, ...both(() => import("./models/run.ts")) }),
      entry({ command: config, run: () => import("./config/run.ts"), layer: files }),
      entry({
        command: completion,
        isQuick,
        run: () => import("./completion/run.ts"),
        layer: () => import("./completion/layer.ts"),
      }),
    ],
  },
]
