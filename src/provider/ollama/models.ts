/** Parses the model list of `/api/tags`. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { StreamIncomplete } from "../../model/ModelError.ts"

/** The names of the chat models, in the server's order, newest first; embedding models are left out. */
export const parseModelNames = (listed: unknown): Either.Either<ReadonlyArray<string>, StreamIncomplete> =>
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
