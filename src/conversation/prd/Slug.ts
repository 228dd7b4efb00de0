/** Makes names of any script into names of files and branches. Pure. */

/**
 * Makes a name in lower case, with hyphens for white space. Only letters, combining marks, digits and underscores are
 * kept. Only a blank text has an empty slug; any other text without such characters gets `untitled`.
 */
export const slugify = (text: string): string => {
  const words = text.normalize("NFC").toLowerCase().trim()
  const slug = words
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, "")
    .replaceAll(/\s+/g, "-")
    .replaceAll(/-+/g, "-")
    .replaceAll(/^-|-$/g, "")
    // Marks that were apart can stand side by side now, in another order than the normal one.
    .normalize("NFC")
  return slug === "" && words !== "" ? "untitled" : slug
}
