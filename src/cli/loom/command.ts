/** The commands of `vibe loom`, with examples. */
import * as Spec from "../arguments/Spec.ts"
import * as Read from "./readCommands.ts"
import * as Write from "./writeCommands.ts"

/** In the order of the help text. */
export const specs: ReadonlyArray<Spec.Spec> = [
  Spec.of(Read.roots, ["vibe loom roots", "vibe loom roots --json"]),
  Spec.of(Read.log, ["vibe loom log", "vibe loom log @~2 --limit 4", "vibe loom log draft --graph"]),
  Spec.of(Read.show, ["vibe loom show @", "vibe loom show @^ --json"]),
  Spec.of(Read.tree, ["vibe loom tree", "vibe loom tree draft --depth 3"]),
  Spec.of(Write.switchCommand, ["vibe loom switch draft", "vibe loom switch --newest"]),
  Spec.of(Write.append, [
    'vibe loom append --system "You are a poet" "Write a poem"',
    "vibe loom append @ --role assistant The first line is",
    "vibe loom append draft < question.md",
  ]),
  Spec.of(Write.generate, [
    'vibe loom generate --system "You are a poet" "Write a poem"',
    "vibe loom generate @ And now a shorter one",
    "vibe loom generate draft -n 3",
  ]),
  Spec.of(Write.edit, ['vibe loom edit @^ "Write a longer poem"']),
  Spec.of(Write.split, ["vibe loom split @ 120"]),
  Spec.of(Write.join, ["vibe loom join @^"]),
  Spec.of(Write.move, ["vibe loom move draft --to @~3"]),
  Spec.of(Write.copy, ['vibe loom copy @ --system "You are a critic"', "vibe loom copy draft --to 01jx4c"]),
  Spec.of(Write.deleteCommand, ["vibe loom delete @ --cascade", "vibe loom delete draft --reparent --bookmarks"]),
  Spec.of(Write.undo, ["vibe loom undo", "vibe loom undo 12", "vibe loom undo draft"]),
  Spec.of(Write.redo, ["vibe loom redo"]),
  Spec.of(Read.history, ["vibe loom history", "vibe loom history --limit 100 --json"]),
  Spec.of(Write.bookmark, ["vibe loom bookmark draft @", "vibe loom bookmark --delete draft"]),
  Spec.of(Read.bookmarks, ["vibe loom bookmarks"]),
  Spec.of(Read.search, ["vibe loom search retries backoff", "vibe loom search 'retr*' --role assistant --limit 5"]),
  Spec.of(Read.diff, ["vibe loom diff draft @"]),
  Spec.of(Read.exportCommand, [
    "vibe loom export draft > draft.md",
    "vibe loom export @ --format jsonl > talk.jsonl",
    "vibe loom export --all > all.jsonl",
  ]),
  Spec.of(Write.importCommand, ["vibe loom import talk.jsonl", "vibe loom import conversations.json"]),
  Spec.of(Read.verify, ["vibe loom verify", "vibe loom verify --mend", "vibe loom verify --forest copy.db --json"]),
  Spec.of(Write.purge, ["vibe loom purge 01jx4c", "vibe loom purge --removed --yes"]),
].map((spec) => ({ ...spec, name: `loom ${spec.name}` }))
