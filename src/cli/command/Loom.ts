/** `vibe loom`: the forest of conversations, for people. */
import * as Spec from "../arguments/Spec.ts"
import * as Append from "./loom/Append.ts"
import * as Bookmark from "./loom/Bookmark.ts"
import * as Bookmarks from "./loom/Bookmarks.ts"
import * as Delete from "./loom/Delete.ts"
import * as Diff from "./loom/Diff.ts"
import * as Edit from "./loom/Edit.ts"
import * as Export from "./loom/Export.ts"
import * as Generate from "./loom/Generate.ts"
import * as History from "./loom/History.ts"
import * as Import from "./loom/Import.ts"
import * as Log from "./loom/Log.ts"
import * as Purge from "./loom/Purge.ts"
import * as Redo from "./loom/Redo.ts"
import * as Roots from "./loom/Roots.ts"
import * as Search from "./loom/Search.ts"
import * as Show from "./loom/Show.ts"
import * as Split from "./loom/Split.ts"
import * as Tree from "./loom/Tree.ts"
import * as Undo from "./loom/Undo.ts"
import * as Verify from "./loom/Verify.ts"

/** In the order in which help lists them. */
export const specs: ReadonlyArray<Spec.Spec> = [
  Spec.of(Roots.roots, Roots.examples),
  Spec.of(Log.log, Log.examples),
  Spec.of(Show.show, Show.examples),
  Spec.of(Tree.tree, Tree.examples),
  Spec.of(Append.append, Append.examples),
  Spec.of(Generate.generate, Generate.examples),
  Spec.of(Edit.edit, Edit.examples),
  Spec.of(Split.split, Split.examples),
  Spec.of(Delete.remove, Delete.examples),
  Spec.of(Undo.undo, Undo.examples),
  Spec.of(Redo.redo, Redo.examples),
  Spec.of(History.history, History.examples),
  Spec.of(Bookmark.bookmark, Bookmark.examples),
  Spec.of(Bookmarks.bookmarks, Bookmarks.examples),
  Spec.of(Search.search, Search.examples),
  Spec.of(Diff.diff, Diff.examples),
  Spec.of(Export.exporting, Export.examples),
  Spec.of(Import.importing, Import.examples),
  Spec.of(Verify.verify, Verify.examples),
  Spec.of(Purge.purge, Purge.examples),
].map((spec) => ({ ...spec, name: `loom ${spec.name}` }))
