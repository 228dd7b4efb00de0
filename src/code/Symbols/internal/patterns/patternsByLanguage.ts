/** The patterns of the languages that are outlined without a grammar, by the id of the language. */
import type { Patterns } from "./Declarations.ts"
import { dart } from "./languages/dart.ts"
import { elixir } from "./languages/elixir.ts"
import { graphQl } from "./languages/graphQl.ts"
import { groovy } from "./languages/groovy.ts"
import { haskell } from "./languages/haskell.ts"
import { julia } from "./languages/julia.ts"
import { kotlin } from "./languages/kotlin.ts"
import { lua } from "./languages/lua.ts"
import { objectiveC } from "./languages/objectiveC.ts"
import { perl } from "./languages/perl.ts"
import { powerShell } from "./languages/powerShell.ts"
import { protobuf } from "./languages/protobuf.ts"
import { r } from "./languages/r.ts"
import { scala } from "./languages/scala.ts"
import { solidity } from "./languages/solidity.ts"
import { sql } from "./languages/sql.ts"
import { swift } from "./languages/swift.ts"
import { terraform } from "./languages/terraform.ts"
import { zig } from "./languages/zig.ts"

export const patterns: ReadonlyMap<string, Patterns> = new Map([
  ["dart", dart],
  ["elixir", elixir],
  ["graphql", graphQl],
  ["groovy", groovy],
  ["haskell", haskell],
  ["julia", julia],
  ["kotlin", kotlin],
  ["lua", lua],
  ["objective-c", objectiveC],
  ["perl", perl],
  ["powershell", powerShell],
  ["protobuf", protobuf],
  ["r", r],
  ["scala", scala],
  ["solidity", solidity],
  ["sql", sql],
  ["swift", swift],
  ["terraform", terraform],
  ["zig", zig],
])
