/** `file_write`: a text file in the output folder, new or in the place of another. */
import * as Schema from "effect/Schema"
import type { Output } from "../code/Output.ts"
import * as Tool from "../tool/Tool.ts"
import * as Content from "./internal/Content.ts"
import * as WrittenFile from "./WrittenFile.ts"

export const make = (output: Output): Tool.Tool =>
  Tool.make({
    name: "file_write",
    description: `Writes a text file${within(output)} and makes the folders that it needs. A file that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      path: Schema.NonEmptyString.annotations({ description: `Where${within(output)}, as other tools name files` }),
      content: Content.schema,
    }),
    run: ({ content, path }) => WrittenFile.write(output, path, content),
  })

const within = ({ folder }: Output): string => (folder === "" ? "" : ` under ${folder}/`)
