import { type Config, ConfigProvider, Effect } from "effect"

/** A setting, where these are set. */
export const read = <A>(config: Config.Config<A>, settings: Record<string, string>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(settings))))
