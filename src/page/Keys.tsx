/** Lists the keys of the view that is shown, and those of all views. */
import { signal } from "@preact/signals"
import { Dialog } from "./Dialog.tsx"
import { route } from "./Route.ts"

export const areKeysShown = signal(false)

export type Keys = ReadonlyArray<readonly [keys: string, does: string]>

/** The name of the key that commands are called with on this machine. */
export const control = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl"

const everywhere: Keys = [
  [`${control}+K`, "commands, conversations and symbols by name"],
  ["?", "this list"],
]

const conversation: Keys = [
  ["Enter", "send the message"],
  ["Shift+Enter", "a new line"],
  ["↑", "edit your last message, if nothing is written yet"],
  ["Esc", "stop the answers that are running"],
  ["/", "write a message"],
  ["n", "a new conversation"],
  ["s", "search conversations"],
  ["m", "choose models"],
  ["d", "show or hide the document"],
  ["j k", "the next message, the one before"],
  ["e", "edit the message in focus"],
  ["r", "answer the message in focus again"],
  ["c", "copy the message or the code in focus"],
  ["[ ]", "its version before, its next version"],
]

const forest: Keys = [
  ["↑ ↓", "go through the lines"],
  ["→", "open, or go to the branch that was visited last"],
  ["←", "close, or go up"],
  ["Home End", "first and last line"],
  ["Enter", "open in the conversation view"],
  ["c", "compare the branches below the message"],
  ["b", "set a bookmark"],
  ["h", "hide the branch, or show it again"],
  ["Delete", "remove the message with all below it"],
  [`${control}+Z ${control}+Y`, "undo, redo"],
  ["/", "search"],
]

const index: Keys = [
  ["/", "search the index"],
  ["↑ ↓", "mark a result"],
  ["Enter", "open the marked result"],
  ["Esc", "close the results"],
  ["← → ↑ ↓", "go through a picture of callers and callees"],
]

const keysOf: Readonly<Record<string, Keys>> = { conversation, forest, index }

export const KeysDialog = () => (
  <Dialog title="Keys" onClose={() => (areKeysShown.value = false)}>
    <List keys={[...(keysOf[route.value.view] ?? []), ...everywhere]} />
    <p class="meta">Single letters work outside of texts.</p>
  </Dialog>
)

const List = ({ keys }: { readonly keys: Keys }) => (
  <dl class="keys">
    {keys.map(([names, does]) => (
      <div key={names}>
        <dt>
          {names.split(" ").map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
)
