/** The path of the vectors, for callers that only check whether there are any. */
import * as path from "node:path"

/**
 * The file below the root of a workspace. Its name begins like that of the index, so that both are ignored and removed
 * together.
 */
export const fileIn = (root: string): string => path.join(root, ".vibe", "index.db.vectors")
