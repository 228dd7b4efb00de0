/** Exports conversations as Markdown, HTML, JSON and JSON lines. Pure. */

import * as Schema from "effect/Schema"
import { sanitize, sanitizeJson, sanitizeLine } from "../base/Sanitize.ts"
import type { Block, Image } from "../message/Block.ts"
import { NodeId } from "../message/NodeId.ts"
import type { Bookmark } from "./Bookmark.ts"
import { type Conversation, titleOf as conversationTitle } from "./Conversation.ts"
import * as MessageParts from "./MessageParts.ts"
import { isReadable, type Node, type Root } from "./Node.ts"
import * as NodeText from "./NodeText.ts"

export type Format = "markdown" | "json" | "jsonl" | "html"

export interface Exported {
  readonly root: Root
  /** Parents come before their children. */
  readonly nodes: ReadonlyArray<Node>
  /** The bookmarks on `nodes`. */
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** The conversations of `nodes`. */
  readonly conversations?: ReadonlyArray<Described> | undefined
}

/** The part of a conversation that does not follow from its nodes: its folder, and the name that the user gave it. */
export const Described = Schema.Struct({
  root: NodeId,
  folder: Schema.optional(Schema.String),
  title: Schema.optional(Schema.String),
})
export type Described = typeof Described.Type

/** Describes conversations of a tree. One without a folder and without a name is left out. */
export const describe = (conversations: Iterable<Conversation>): ReadonlyArray<Described> => {
  const found = new Map<NodeId, Described>()
  for (const { folder, isNamed, root, title } of conversations) {
    if (folder === undefined && !isNamed) continue
    found.set(root, { root, ...(folder !== undefined && { folder }), ...(isNamed && { title }) })
  }
  return Array.from(found.values())
}

/**
 * Leaves out unreadable nodes, and returns them as `left`. Their children move to their parents, so that the export can
 * be imported.
 */
export const readable = ({
  bookmarks,
  conversations,
  nodes,
  root,
}: Exported): { readonly exported: Exported; readonly left: ReadonlyArray<Node> } => {
  const left = nodes.filter((node) => !isReadable(node))
  const parents = new Map(left.map(({ id, parent }) => [id, parent]))
  const above = (id: NodeId): NodeId => {
    const parent = parents.get(id)
    return parent === undefined ? id : above(parent)
  }
  return {
    left,
    exported: {
      root,
      nodes: nodes.filter(isReadable).map((node) => ({ ...node, parent: above(node.parent) })),
      bookmarks: bookmarks.filter(({ node }) => !parents.has(node)),
      conversations,
    },
  }
}

/** Returns the export as text, sanitised and without a final line break. */
export const text = (exported: Exported, format: Format): string => {
  switch (format) {
    case "markdown":
      return markdown(exported)
    case "json":
      return sanitizeJson(exported)
    case "jsonl":
      return jsonl(exported)
    case "html":
      return html(exported)
  }
}

const jsonl = ({ bookmarks, conversations = [], nodes, root }: Exported): string =>
  [
    { type: "root", ...root },
    ...nodes.map((node) => ({ type: "node", ...node })),
    ...bookmarks.map((bookmark) => ({ type: "bookmark", ...bookmark })),
    ...conversations.map((conversation) => ({ type: "conversation", ...conversation })),
  ]
    .map(sanitizeJson)
    .join("\n")

/** Returns the name that the user gave the conversation, or else the beginning of their first message. */
const titleOf = ({ conversations = [], nodes, root }: Exported): string => {
  const tops = nodes.filter(({ parent }) => parent === root.id)
  const messages = tops.length === 1 ? MessageParts.joinAll(nodes) : []
  const first = messages.find(({ message }) => message.role === "user")
  const named = conversations.length === 1 ? conversations[0]?.title : undefined
  return sanitizeLine(named ?? (first === undefined ? "Conversation" : conversationTitle(first)))
}

const markdown = (exported: Exported): string => {
  const { nodes, root } = exported
  return [
    `# ${titleOf(exported)}`,
    ...(root.systemPrompt.trim() === "" ? [] : ["## System", sanitize(root.systemPrompt).trim()]),
    ...headings(root, nodes).flatMap(({ heading, node }) => [
      `## ${heading}`,
      ...node.message.content.map(inMarkdown(node)),
    ]),
  ].join("\n\n")
}

const inMarkdown =
  ({ message }: Node) =>
  (block: Block): string => {
    switch (block.type) {
      case "text":
        return message.role === "tool" ? codeFence(sanitize(block.text), "") : sanitize(block.text).trim()
      case "image":
        return `![](${address(block)})`
      case "thinking":
        return sanitize(block.text)
          .trim()
          .split("\n")
          .map((line) => `> ${line}`)
          .join("\n")
      case "tool-use":
        return `Calls \`${sanitizeLine(block.name)}\`:\n\n${codeFence(sanitize(JSON.stringify(block.parameters, null, 2)), "json")}`
    }
  }

/** Returns the picture as a `data:` URL. */
const address = ({ data, media_type }: Image): string => sanitizeLine(`data:${media_type};base64,${data}`)

/** Encloses a text in a fence that is longer than any run of backticks in it. */
const codeFence = (text: string, language: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const html = (exported: Exported): string => {
  const { nodes, root } = exported
  const title = escapeHtml(titleOf(exported))
  const section = (role: string, heading: string, place: NodeText.Place) =>
    [
      `<section class="${role}">`,
      `<h2>${escapeHtml(heading)}</h2>`,
      `<pre>${escapeHtml(NodeText.body(place))}</pre>`,
      ...pictures(place).map((picture) => `<img alt="" src="${escapeHtml(address(picture))}">`),
      "</section>",
    ].join("\n")
  return [
    "<!doctype html>",
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`,
    `<style>${style}</style></head>`,
    "<body>",
    `<h1>${title}</h1>`,
    ...(root.systemPrompt.trim() === "" ? [] : [section("system", "System", root)]),
    ...headings(root, nodes).map(({ heading, node }) => section(node.message.role, heading, node)),
    "</body>",
    "</html>",
  ].join("\n")
}

const pictures = (place: NodeText.Place): ReadonlyArray<Image> =>
  NodeText.isRoot(place) ? [] : place.message.content.flatMap((block) => (block.type === "image" ? [block] : []))

const style = [
  "body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}",
  "img{max-width:100%}",
  "h1{font-size:1.4rem}",
  "h2{font-size:1rem;margin:1.5rem 0 .25rem}",
  "pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}",
  ".tool pre{font-family:monospace;background:#8881;padding:.5rem}",
  ".user pre{border-left:.25rem solid #8888;padding-left:.75rem}",
].join("")

/** Escapes a text for the content of an element, or for an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/**
 * Lists the messages with their parts joined, and the heading of each: its number, role and maker, and the number of
 * its parent if that is not the message before.
 */
const headings = (
  root: Root,
  nodes: ReadonlyArray<Node>,
): ReadonlyArray<{ readonly node: Node; readonly heading: string }> => {
  let before: NodeId = root.id
  const messages = MessageParts.group(nodes).map((parts) => ({
    node: MessageParts.join(parts),
    makers: new Set(parts.map(NodeText.maker)),
  }))
  const numbers = new Map<NodeId, number>(messages.map(({ node }, at) => [node.id, at + 1]))
  return messages.map(({ makers, node }) => {
    const after = node.parent === before ? "" : `, after ${numbers.get(node.parent) ?? "the system prompt"}`
    before = node.id
    const by = Array.from(makers)
      .filter((maker) => maker !== "")
      .join(", ")
    const heading = `${numbers.get(node.id)}. ${capital(node.message.role)}${by === "" ? "" : ` (${by})`}${after}`
    return { node, heading: sanitizeLine(heading) }
  })
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
