import { type Config, ConfigProvider, Effect } from "effect"

/** The value of a setting where these variables are set. */
export const readConfig = <A>(config: Config.Config<A>, settings: Record<string, string>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(settings))))
