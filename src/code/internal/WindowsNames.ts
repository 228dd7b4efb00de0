/** Names that Windows takes for names of something else. Pure. */

/**
 * Whether a name is another name of a file for Windows: `name:stream`, and trailing dots and spaces, which it drops. There it
 * would get round every check of names. Elsewhere it is a name like others, of files that are indexed.
 */
export const isAlias = (name: string): boolean => /:|[. ]$/.test(name)

/** The name that Windows takes an alias for. */
export const withoutAlias = (name: string): string => name.replace(aliasMarks, "")

const aliasMarks = /[. ]*(?::.*)?$/s

/**
 * Whether a name is that of a device, in any folder and with any extension: `aux.ts`, `NUL`, `com1.log`. A file of that name
 * cannot be there in Windows; to read it would wait for a serial port or the keyboard. The list is that of "Naming Files,
 * Paths, and Namespaces" of Microsoft, with the two names of the console.
 */
export const isDevice = (name: string): boolean => device.test(name)

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:].*)?$/is
