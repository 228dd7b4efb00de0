/** Shows the frame of all views: the navigation, and whether the server is reachable. */
import { effect, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { access, describeError, request } from "./Client.ts"
import { format, type Route, route } from "./Route.ts"

/** A message about the page itself, such as that the server is gone; empty for none. */
export const notice = signal("")

/** The absolute path of the folder that is served; empty until the server has answered. */
const folder = signal("")

effect(() => {
  if (access.value !== "granted") return
  request<{ readonly folder: string }>("GET", "/folder").then(
    (found) => (folder.value = found.folder),
    (error: unknown) => (notice.value ||= describeError(error)),
  )
})

const views: ReadonlyArray<{ readonly to: Route; readonly name: string }> = [
  { to: { view: "conversation", id: undefined, leaf: undefined }, name: "Conversation" },
  { to: { view: "forest", id: undefined }, name: "Forest" },
  { to: { view: "index", at: "" }, name: "Index" },
]

export const Shell = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <header class="bar">
      <h1>vibe</h1>
      {folder.value !== "" && (
        <span class="folder" title={folder.value}>
          {/[^/\\]+(?=[/\\]*$)/.exec(folder.value)?.[0] ?? folder.value}
        </span>
      )}
      <nav aria-label="Views">
        {views.map(({ name, to }) => (
          <a key={name} href={format(to)} aria-current={route.value.view === to.view ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <p class="notice" role="status">
        {notice.value}
      </p>
    </header>
    {children}
  </>
)
