/** Shows the frame of all views: the navigation, the palette, the keys, and whether the server is reachable. */
import { effect, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect } from "preact/hooks"
import { access, describeError, request } from "./Client.ts"
import { Icon } from "./Icon.tsx"
import { areKeysShown, control, KeysDialog } from "./Keys.tsx"
import { isShortcut } from "./keyboard.ts"
import { isPaletteOpen, Palette } from "./Palette.tsx"
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

/** Handles the keys of all views. The palette opens also while one writes, but not over another dialog. */
const onKeyDown = (event: KeyboardEvent): void => {
  const isControl = control === "⌘" ? event.metaKey : event.ctrlKey
  if (isControl && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault()
    if (document.querySelector("dialog[open]") === null) isPaletteOpen.value = true
    else isPaletteOpen.value = false
  } else if (event.key === "?" && isShortcut(event)) {
    event.preventDefault()
    areKeysShown.value = true
  }
}

export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  useLayoutEffect(() => {
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])
  return (
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
            <a
              key={name}
              class="tab"
              href={format(to)}
              aria-current={route.value.view === to.view ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <p class="notice" role="status">
          {notice.value}
        </p>
        <button type="button" class="jump" title="Find anything" onClick={() => (isPaletteOpen.value = true)}>
          <Icon name="search" />
          <span>Find anything</span>
          <kbd>{control} K</kbd>
        </button>
      </header>
      {children}
      {isPaletteOpen.value && <Palette />}
      {areKeysShown.value && <KeysDialog />}
    </>
  )
}
