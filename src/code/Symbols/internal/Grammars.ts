/** The rules of every language that is outlined, by the name of its grammar. */
import { bash } from "./Bash.ts"
import { cpp } from "./Cpp.ts"
import { cSharp } from "./CSharp.ts"
import { css } from "./Css.ts"
import { ecmaScript } from "./EcmaScript.ts"
import { go } from "./Go.ts"
import { java } from "./Java.ts"
import { php } from "./Php.ts"
import { python } from "./Python.ts"
import { ruby } from "./Ruby.ts"
import type { Rules } from "./Rules.ts"
import { rust } from "./Rust.ts"

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
