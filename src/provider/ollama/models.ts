/** The models that an Ollama has, as `/api/tags` lists them. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { StreamIncomplete } from "../../model/ModelError.ts"

/** Those that can be talked to, by name, in its order, the newest first: models that only embed texts are listed too. */
export const read = (listed: unknown): Either.Either<ReadonlyArray<string>, StreamIncomplete> =>
  Either.mapBoth(decode(listed), {
    onLeft: () => new StreamIncomplete({ message: "the answer holds something that is not an API response" }),
    onRight: ({ models }) =>
      models.filter(({ details, name }) => !/bert|embed/i.test(`${details?.family} ${name}`)).map(({ name }) => name),
  })

const decode = Schema.decodeUnknownEither(
  Schema.Struct({
    models: Schema.Array(
      Schema.Struct({
        name: Schema.NonEmptyString,
        details: Schema.optional(Schema.NullOr(Schema.Struct({ family: Schema.optional(Schema.String) }))),
      }),
    ),
  }),
)
