/**
 * Puts pages together: what persons wrote stays when a page is written anew, and statements are replaced one by one.
 */
import type { Page, Section, Statement } from "../Page.ts"

/**
 * Returns the page with each statement replaced by what `change` returns; one for which that is undefined is removed.
 * Blocks and titled sections without a statement go too.
 */
export const mapStatements = (page: Page, change: (statement: Statement) => Statement | undefined): Page => ({
  ...page,
  sections: page.sections.flatMap((section): ReadonlyArray<Section> => {
    const blocks = section.blocks.flatMap((block): Section["blocks"] => {
      const [first, ...others] = block.flatMap((statement) => change(statement) ?? [])
      return first === undefined ? [] : [[first, ...others]]
    })
    return blocks.length === 0 && section.blocks.length > 0 ? [] : [{ ...section, blocks }]
  }),
})

/**
 * Returns a page that was written anew with what persons wrote on the earlier one: their statements follow in the
 * section of the same title, and a section of theirs follows at the end.
 */
export const keepPersons = (before: Page | undefined, page: Page): Page => {
  const kept = (before?.sections ?? []).flatMap((section) => {
    const blocks = section.blocks.flatMap((block): Section["blocks"] => {
      const [first, ...others] = block.filter(({ author }) => author === "person")
      return first === undefined ? [] : [[first, ...others]]
    })
    return blocks.length === 0 ? [] : [{ ...section, blocks }]
  })
  const sections = page.sections.map((section) => {
    const blocks = kept.filter((other) => isSameSection(section, other)).flatMap((other) => other.blocks)
    return blocks.length === 0 ? section : { ...section, blocks: [...section.blocks, ...blocks] }
  })
  const further = kept.filter((section) => !page.sections.some((other) => isSameSection(section, other)))
  return { ...page, sections: [...sections, ...further] }
}

const isSameSection = (one: Section, other: Section): boolean => one.title === other.title

/**
 * Returns the page with sections in place of those of the same title, which stand after the first section otherwise.
 */
export const withSections = (page: Page, sections: ReadonlyArray<Section>): Page => {
  const titles = new Set(sections.map(({ title }) => title))
  const [first, ...others] = page.sections.filter(({ title }) => title === undefined || !titles.has(title))
  const placed = [...(first === undefined ? [] : [first]), ...sections, ...others]
  const replaced = page.sections.filter(({ title }) => title !== undefined && titles.has(title))
  return keepPersons({ ...page, sections: replaced }, { ...page, sections: placed })
}
