/** What of our environment a program that we start is given. Pure. */

export type Environment = Readonly<Record<string, string>>

/**
 * All but what looks like a secret (FAULTS R9 and 4, "shell tool"), and of that what the program is known to need: an
 * agent that speaks to its provider cannot do so without its key, and has no use for anybody else's. A needed name may
 * begin with a `*`, for any that ends so. No colours: nobody but us sees the words.
 */
export const passed = (environment: Environment, needs: ReadonlyArray<string>): Environment => ({
  ...Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !forced.has(name) && (!isSecret(name) || needs.some((need) => isMeant(need, name))),
    ),
  ),
  NO_COLOR: "1",
})

/** The values that must never be shown, the longest first: one may be a part of another. */
export const secrets = (environment: Environment): ReadonlyArray<string> =>
  Object.entries(environment)
    .filter(([name, value]) => isSecret(name) && value.length >= shortest)
    .map(([, value]) => value)
    .sort((a, b) => b.length - a.length)

const isSecret = (name: string): boolean => /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/i.test(name)

const isMeant = (need: string, name: string): boolean =>
  need.startsWith("*") ? name.endsWith(need.slice(1)) : name === need

/** They outweigh NO_COLOR. */
const forced: ReadonlySet<string> = new Set(["FORCE_COLOR", "CLICOLOR_FORCE"])

/** Shorter ones are words that stand anywhere: `1`, `true`. */
const shortest = 6
