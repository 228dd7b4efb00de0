/**
 * Keeps the heap of vibe's own process small, for one that runs for days beside an editor: V8 collects garbage sooner, and
 * gives memory back. With 100,000 files `vibe watch` takes 120 MB; without this 190 at its start, and more after each edit.
 * Imported for its effect, before the first refresh.
 */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--optimize-for-size")
setFlagsFromString("--semi-space-growth-factor=1")
