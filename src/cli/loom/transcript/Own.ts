/**
 * What `vibe loom export` writes as `jsonl`, a record a line: a tree, its nodes with parents before their children, and
 * the bookmarks on them. As `json` the same stands in one object.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Bookmark } from "../../../forest/Bookmark.ts"
import { Node, ReadableSource } from "../../../forest/Node.ts"
import { Root } from "../../../forest/Root.ts"
import { isObject } from "../../../message/Json.ts"
import * as Sapling from "./Sapling.ts"

export const Record = Schema.Union(
  Schema.extend(Schema.Struct({ type: Schema.Literal("root") }), Root),
  Schema.Struct({ ...Node.fields, type: Schema.Literal("node"), source: ReadableSource }),
  Schema.extend(Schema.Struct({ type: Schema.Literal("bookmark") }), Bookmark),
)
export type Record = typeof Record.Type

export const isOwn = (records: ReadonlyArray<unknown>): boolean =>
  records.some((record) => isObject(record) && record.type === "root" && "systemPrompt" in record)

/** Of the object that `--format json` prints. */
export const records = (value: unknown): ReadonlyArray<unknown> | undefined => {
  if (!isObject(value) || !isObject(value.root) || !Array.isArray(value.nodes)) return undefined
  const typed = (type: string, all: unknown) =>
    Array.isArray(all) ? all.map((one) => (isObject(one) ? { ...one, type } : one)) : []
  return [{ ...value.root, type: "root" }, ...typed("node", value.nodes), ...typed("bookmark", value.bookmarks)]
}

/** A node whose tree or whose parent has no record says nothing that could be placed. */
export const read = (records: ReadonlyArray<unknown>): Sapling.Reading => {
  const trees = new Map<
    string,
    { readonly root: Root; readonly bed: Sapling.Bed; readonly bookmarks: Array<Bookmark> }
  >()
  let skipped = 0
  for (const record of records) {
    const known = decode(record)
    if (Option.isNone(known) || !placed(trees, known.value)) skipped++
  }
  return {
    skipped,
    saplings: Array.from(trees.values(), ({ bed, bookmarks, root }) => ({
      owner: root.owner,
      systemPrompt: root.systemPrompt,
      seedlings: bed.seedlings,
      bookmarks: bookmarks.flatMap(({ node, title }) => {
        const seedling = bed.place(node)
        return seedling === undefined ? [] : [{ title, seedling }]
      }),
    })),
  }
}

const placed = (
  trees: Map<string, { readonly root: Root; readonly bed: Sapling.Bed; readonly bookmarks: Array<Bookmark> }>,
  record: Record,
): boolean => {
  switch (record.type) {
    case "root": {
      trees.set(record.id, { root: record, bed: Sapling.bed(), bookmarks: [] })
      return true
    }
    case "node": {
      const tree = trees.get(record.root)
      const isBelow = record.parent === record.root || tree?.bed.place(record.parent) !== undefined
      if (tree === undefined || !isBelow) return false
      const { createdAt, id, message, parent, source } = record
      return tree.bed.add(id, parent, [{ message, source }], createdAt)
    }
    case "bookmark": {
      const tree = Array.from(trees.values()).find(({ bed }) => bed.place(record.node) !== undefined)
      tree?.bookmarks.push(record)
      return tree !== undefined
    }
  }
}

const decode = Schema.decodeUnknownOption(Record)
