/** A PRD as a file: what it holds, and what its file is called. Pure. */
import * as Prd from "../../chat/Prd.ts"
import { sanitize } from "../../message/Sanitize.ts"
import * as Saving from "./Saving.ts"

/** Without control sequences and characters that hide. */
export const text = ({ content }: Prd.Prd): string => `${sanitize(content).trim()}\n`

/** The best first. */
export const names = ({ name }: Prd.Prd): ReadonlyArray<string> => Saving.numberedNames(Prd.fileName(sanitize(name)))
