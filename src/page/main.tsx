/** Starts the page of `vibe serve`. */
import { render } from "preact"
import { access, isConnected, Refused, reopen, request } from "./Client.ts"
import * as ConversationView from "./conversation/ConversationView.tsx"
import { listen } from "./Events.ts"
import * as ForestView from "./forest/ForestView.tsx"
import * as IndexView from "./index/IndexView.tsx"
import { keepFocus } from "./keyboard.ts"
import { route } from "./Route.ts"
import { notice, Shell } from "./Shell.tsx"

const views = [ConversationView, ForestView, IndexView]

const View = () => {
  if (route.value.view === "forest") return <ForestView.ForestView />
  if (route.value.view === "index") return <IndexView.IndexView />
  if (route.value.view === "unknown") return <Sentence text="There is no such page." />
  return <ConversationView.ConversationView />
}

/** Shows a sentence in place of a view. */
const Sentence = ({ text }: { readonly text: string }) => (
  <main class="nothing" aria-label="Page">
    <p>{text}</p>
  </main>
)

const Page = () =>
  access.value === "refused" ? (
    <>
      <header class="bar">
        <h1>vibe</h1>
      </header>
      <Sentence text={`${reopen}.`} />
    </>
  ) : (
    <Shell>
      <View />
    </Shell>
  )

keepFocus()
render(<Page />, document.body)

const script = document.querySelector<HTMLScriptElement>("script[data-events]")?.dataset.events ?? ""
listen(script, {
  onEvent: (event) => {
    for (const { onEvent } of views) onEvent(event)
  },
  onOpen: () => {
    notice.value = ""
    isConnected.value = true
    for (const { refresh } of views) refresh()
  },
  onLost: () => {
    isConnected.value = false
    if (notice.value === "") notice.value = "The server cannot be reached. What you write stays here."
    request("GET", "/session").then(
      () => {},
      (error: unknown) => {
        if (error instanceof Refused) notice.value = `${error.message.replace(/\.$/, "")}. What you write stays here.`
      },
    )
  },
})
