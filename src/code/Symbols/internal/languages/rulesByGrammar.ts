/** The rules of the outlined languages, by name of the grammar. */

import type { Rules } from "../outline/Rules.ts"
import { bash } from "./bash.ts"
import { cpp } from "./cpp.ts"
import { cSharp } from "./cSharp.ts"
import { css } from "./css.ts"
import { ecmaScript } from "./ecmaScript.ts"
import { go } from "./go.ts"
import { java } from "./java.ts"
import { php } from "./php.ts"
import { python } from "./python.ts"
import { ruby } from "./ruby.ts"
import { rust } from "./rust.ts"

export const rules: ReadonlyMap<string, Rules> = new Map([
  ["bash", bash],
  ["c-sharp", cSharp],
  ["cpp", cpp],
  ["css", css],
  ["go", go],
  ["java", java],
  ["javascript", ecmaScript],
  ["php", php],
  ["python", python],
  ["ruby", ruby],
  ["rust", rust],
  ["tsx", ecmaScript],
  ["typescript", ecmaScript],
])
