/** Shows the folders and files of the index as a tree, which is read a folder at a time. */
import { effect, signal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Index, query } from "../Client.ts"
import { Icon } from "../Icon.tsx"
import { stepFocus } from "../keyboard.ts"
import { at, linkTo } from "./Project.ts"
import { Prose } from "./SymbolView.tsx"
import { useAnswer } from "./useAnswer.ts"

const open = signal<ReadonlySet<string>>(new Set())

/** The folders above a path, and the path itself, which may be one. */
const foldersTo = (path: string): ReadonlyArray<string> => {
  const parts = path === "" ? [] : path.split("/")
  return parts.map((_, n) => parts.slice(0, n + 1).join("/"))
}

// The place that is shown is visible in the tree.
effect(() => {
  const wanted = foldersTo(at.value.path).filter((path) => !open.peek().has(path))
  if (wanted.length > 0) open.value = new Set([...open.peek(), ...wanted])
})

const toggle = (path: string) => {
  const next = new Set(open.peek())
  if (!next.delete(path)) next.add(path)
  open.value = next
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

export const Folders = () => {
  const nav = useRef<HTMLElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (by === 0 || !(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    stepFocus(nav.current?.querySelectorAll<HTMLElement>("a") ?? [], by, () => {})
  }
  return (
    <nav ref={nav} class="folders" aria-label="Folders" onKeyDown={onKeyDown}>
      <a class="root" href={linkTo("")} aria-current={at.value.path === "" ? "page" : undefined}>
        <Icon name="spark" /> Overview
      </a>
      <Inside path="" />
    </nav>
  )
}

const Inside = ({ path }: { readonly path: string }) => {
  const { body } = useAnswer<Index.Place>(`/index/place${query({ path })}`)
  if (body?.type !== "folder") return null
  return (
    <ul>
      {body.folders.map((folder) => (
        <Folder key={folder.path} folder={folder} />
      ))}
      {body.files
        .toSorted((one, other) => (one.path < other.path ? -1 : 1))
        .map((file) => (
          <li key={file.path}>
            <a
              class={file.symbols === 0 ? "leaf plain" : "leaf"}
              href={linkTo(file.path)}
              aria-current={file.path === at.value.path ? "page" : undefined}
            >
              <span>{nameOf(file.path)}</span>
            </a>
          </li>
        ))}
    </ul>
  )
}

const Folder = ({ folder: { path, purpose } }: { readonly folder: Index.Folder }) => {
  const isOpen = open.value.has(path)
  return (
    <li>
      <div class="branch">
        <button
          type="button"
          class="quiet twisty"
          aria-expanded={isOpen}
          aria-label={`Folder ${path}`}
          onClick={() => toggle(path)}
        >
          <Icon name={isOpen ? "down" : "forward"} />
        </button>
        <a href={linkTo(path)} title={purpose} aria-current={path === at.value.path ? "page" : undefined}>
          <span>{nameOf(path)}</span>
          {purpose !== undefined && (
            <small>
              <Prose text={purpose} />
            </small>
          )}
        </a>
      </div>
      {isOpen && <Inside path={path} />}
    </li>
  )
}
