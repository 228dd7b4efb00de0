/**
 * Returns the source of a pattern that matches a text as it is, such as the name of a symbol: `$scope` and `:+:` have
 * characters that mean something in a pattern.
 */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
