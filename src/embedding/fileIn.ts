/** The place of the vectors, for callers that only look whether there are any. */
import * as path from "node:path"

/** The file below the root of a workspace. It begins like that of the index, so that both are ignored and removed alike. */
export const fileIn = (root: string): string => path.join(root, ".vibe", "index.db.vectors")
