/**
 * The output of `vibe loom export --format jsonl`, a record a line: a root, its nodes with parents before their
 * children, and their bookmarks. `--format json` has the same in one object.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject } from "../../../base/Json.ts"
import { Bookmark } from "../../../forest/Bookmark.ts"
import { Described } from "../../../forest/Export.ts"
import { Node, ReadableSource, Root } from "../../../forest/Node.ts"
import * as ImportedConversation from "./ImportedConversation.ts"

const Record = Schema.Union(
  Schema.extend(Schema.Struct({ type: Schema.Literal("root") }), Root),
  Schema.Struct({ ...Node.fields, type: Schema.Literal("node"), source: ReadableSource }),
  Schema.extend(Schema.Struct({ type: Schema.Literal("bookmark") }), Bookmark),
  Schema.extend(Schema.Struct({ type: Schema.Literal("conversation") }), Described),
)
type Record = typeof Record.Type

export const isVibeExport = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && record.type === "root" && "systemPrompt" in record)

/** The records of the object that `--format json` prints. */
export const recordsOf = (value: unknown): ReadonlyArray<unknown> | undefined => {
  if (!isObject(value) || !isObject(value.root) || !Array.isArray(value.nodes)) return undefined
  const withType = (type: string, all: unknown) =>
    Array.isArray(all) ? all.map((each) => (isObject(each) ? { ...each, type } : each)) : []
  return [
    { ...value.root, type: "root" },
    ...withType("node", value.nodes),
    ...withType("bookmark", value.bookmarks),
    ...withType("conversation", value.conversations),
  ]
}

/** Skips a node if its tree or parent has no record. */
export const parse = (records: ReadonlyArray<unknown>): ImportedConversation.ParsedFile => {
  const trees = new Map<string, Tree>()
  let skipped = 0
  for (const record of records) {
    const decoded = decode(record)
    if (Option.isSome(decoded) && add(trees, decoded.value)) continue
    skipped++
    // A message that cannot be read is transparent: what follows it follows its parent.
    const place = Option.getOrUndefined(decodePlace(record))
    if (place !== undefined) trees.get(place.root)?.builder.add(place.id, place.parent, [])
  }
  return {
    skipped,
    conversations: Array.from(trees.values(), ({ bookmarks, builder, described, halves, root }) => ({
      owner: root.owner,
      systemPrompt: root.systemPrompt,
      ...(root.key !== undefined && { key: root.key }),
      ...(described.length > 0 && {
        descriptions: described.map(({ folder, root: top, title }) => ({
          message: builder.indexOf(top),
          folder,
          title,
        })),
      }),
      exact: true,
      messages: builder.messages.map((message, at) => {
        const { source } = message.draft
        const whole = halves.get(at)
        return {
          ...message,
          ...(whole !== undefined && { splitFrom: builder.indexOf(whole) ?? at }),
          ...(source.type === "summary" && { upTo: builder.indexOf(source.upTo) }),
        }
      }),
      bookmarks: bookmarks.flatMap(({ node, title }) => {
        const message = builder.indexOf(node)
        return message === undefined ? [] : [{ title, message }]
      }),
    })),
  }
}

interface Tree {
  readonly root: Root
  readonly builder: ImportedConversation.Builder
  readonly bookmarks: Array<Bookmark>
  readonly described: Array<Described>
  /** Maps the index of a message to the id of the message that it is the beginning of. */
  readonly halves: Map<number, string>
}

/** Returns whether the record belongs to a known tree. */
const add = (trees: Map<string, Tree>, record: Record): boolean => {
  switch (record.type) {
    case "root": {
      trees.set(record.id, {
        root: record,
        builder: ImportedConversation.builder(),
        bookmarks: [],
        described: [],
        halves: new Map(),
      })
      return true
    }
    case "node": {
      const tree = trees.get(record.root)
      const isBelow = record.parent === record.root || tree?.builder.has(record.parent) === true
      if (tree === undefined || !isBelow) return false
      const { createdAt, id, message, parent, source, splitFrom } = record
      if (!tree.builder.add(id, parent, [{ message, source }], createdAt)) return false
      if (splitFrom !== undefined) tree.halves.set(tree.builder.messages.length - 1, splitFrom)
      return true
    }
    case "bookmark": {
      const tree = Array.from(trees.values()).find(({ builder }) => builder.indexOf(record.node) !== undefined)
      tree?.bookmarks.push(record)
      return tree !== undefined
    }
    case "conversation": {
      const { root } = record
      const tree =
        trees.get(root) ?? Array.from(trees.values()).find(({ builder }) => builder.indexOf(root) !== undefined)
      tree?.described.push(record)
      return tree !== undefined
    }
  }
}

const decode = Schema.decodeUnknownOption(Record)

const decodePlace = Schema.decodeUnknownOption(
  Schema.Struct({ type: Schema.Literal("node"), id: Schema.String, parent: Schema.String, root: Schema.String }),
)
