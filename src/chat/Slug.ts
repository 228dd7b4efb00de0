/** Names of any script as names of files and branches. Pure. */

/**
 * Lower case, with hyphens for white space and without anything else but letters and digits of any script, marks on
 * them and underscores. Only a blank text has an empty slug: one without a letter is `untitled`.
 */
export const slugify = (text: string): string => {
  const words = text.normalize("NFC").toLowerCase().trim()
  const slug = words
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, "")
    .replaceAll(/\s+/g, "-")
    .replaceAll(/-+/g, "-")
    .replaceAll(/^-|-$/g, "")
  return slug === "" && words !== "" ? "untitled" : slug
}
