/** `current_date`: the current date and time. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Tool from "../tool/Tool.ts"

/** `Saturday, 2026-11-21T15:04:05.000+01:00[Europe/Berlin]`. */
export const make: Tool.Tool = Tool.make({
  name: "current_date",
  description: "Tells the day of the week, the date and the time, where this program runs or in another time zone.",
  parameters: Schema.Struct({
    timeZone: Schema.optional(Schema.String.annotations({ description: "An IANA name, such as Europe/Berlin" })),
  }),
  readOnly: true,
  run: ({ timeZone }) =>
    Effect.flatMap(DateTime.now, (now) =>
      Option.match(timeZone === undefined ? Option.some(DateTime.zoneMakeLocal()) : DateTime.zoneFromString(timeZone), {
        onNone: () => Tool.fail(`there is no time zone ${timeZone}`),
        onSome: (zone) => Effect.succeed(format(DateTime.setZone(now, zone))),
      }),
    ),
})

const format = (now: DateTime.Zoned): string =>
  `${DateTime.format(now, { weekday: "long", locale: "en" })}, ${DateTime.formatIsoZoned(now)}`
