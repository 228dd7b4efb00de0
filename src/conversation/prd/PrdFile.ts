/** The content and the name of the file of a PRD. Pure. */

import { sanitize } from "../../base/Sanitize.ts"
import * as Prd from "./Prd.ts"
import * as Saving from "./Saving.ts"

/** The content without control sequences and invisible characters. */
export const text = ({ content }: Prd.Prd): string => `${sanitize(content).trim()}\n`

/** The names that the file may have, the preferred one first. */
export const names = ({ name }: Prd.Prd): ReadonlyArray<string> => Saving.numberedNames(Prd.fileName(sanitize(name)))
