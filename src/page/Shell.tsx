/** The frame of all views: where one can go, and whether the server is there. */
import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { format, type Route, route } from "./Route.ts"

/** A message about the page itself, such as that the server is gone; empty for none. */
export const notice = signal("")

const views: ReadonlyArray<{ readonly to: Route; readonly name: string }> = [
  { to: { view: "conversation", id: undefined, leaf: undefined }, name: "Conversation" },
  { to: { view: "forest", id: undefined }, name: "Forest" },
  { to: { view: "index", at: "" }, name: "Index" },
]

export const Shell = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <header class="bar">
      <h1>vibe</h1>
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
