/** Names that Windows takes for names of something else. Pure. */

/**
 * Returns whether Windows takes a name for another name of a file: `name:stream`, and trailing dots and spaces, which
 * it drops. On Windows such a name would get round every check of names. On other systems it is a name like others, of
 * files that are indexed.
 */
export const isAlias = (name: string): boolean => /:|[. ]$/.test(name)

/** Returns the name that Windows takes an alias for. */
export const withoutAlias = (name: string): string => name.replace(aliasMarks, "")

const aliasMarks = /[. ]*(?::.*)?$/s

/**
 * Returns whether a name is that of a device, in any folder and with any extension: `aux.ts`, `NUL`, `com1.log`. A file
 * of that name cannot exist on Windows; reading it would wait for a serial port or the keyboard. The list is that of
 * "Naming Files, Paths, and Namespaces" of Microsoft, with the two names of the console.
 */
export const isDevice = (name: string): boolean => device.test(name)

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:].*)?$/is
