/** Draws Markdown as it streams. A finished block is not drawn again. */
import { memo } from "preact/compat"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { paint } from "../code/paint.ts"
import { type Blocks, findBlocks, none, toSource } from "./blocks.ts"
import { findDocuments } from "./documentParts.ts"
import { render } from "./markdown.ts"

const Block = memo(({ source }: { readonly source: string }) => {
  const html = useMemo(() => render(source), [source])
  const root = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (root.current !== null) paint(root.current)
  }, [html])
  // Preact's type allows only strings. The browser takes a `TrustedHTML`, and our policy forbids anything else.
  return <div ref={root} class="block" dir="auto" dangerouslySetInnerHTML={{ __html: html as unknown as string }} />
})

export const Markdown = memo(({ text }: { readonly text: string }) => {
  const last = useRef<Blocks>(none)
  last.current = findBlocks(text, last.current)
  const { definitions, sources, types } = last.current
  return (
    <div class="markdown">
      {sources.map((source, index) =>
        types[index] === "space" || types[index] === "def" ? null : (
          // The index is a stable key: a block does not move within its text.
          <Block key={index} source={toSource(source, definitions)} />
        ),
      )}
    </div>
  )
})

/** Shows an answer. New texts of the document in it are folded. */
export const AnswerText = ({ text }: { readonly text: string }) => (
  <>
    {findDocuments(text).map((part, index) =>
      part.kind === "text" ? (
        <Markdown key={index} text={part.text} />
      ) : (
        <details key={index} class="fold">
          <summary>
            <b>document</b> <span class="meta">new text, {part.text.split("\n").length} lines</span>
          </summary>
          <pre tabindex={0}>{part.text}</pre>
        </details>
      ),
    )}
  </>
)

/** Copies the code of the block whose button was pressed. One listener serves all messages. */
export const copyCode = (event: MouseEvent): void => {
  if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-copy]")) return
  const button = event.target
  const code = button.closest(".code")?.querySelector("code")?.textContent ?? ""
  navigator.clipboard.writeText(code).then(
    () => show(button, "Copied"),
    () => show(button, "Not copied"),
  )
}

const show = (button: HTMLElement, word: string) => {
  button.textContent = word
  setTimeout(() => (button.textContent = "Copy"), 1500)
}
