/** The plain text of @effect/cli's help documents. */
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"

/** All paragraphs, in order. */
export const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  switch (doc._tag) {
    case "Empty":
    case "Header":
      return []
    case "Paragraph":
      return [span(doc.value)]
    case "DescriptionList":
      return doc.definitions.flatMap(([, definition]) => paragraphs(definition))
    case "Enumeration":
      return doc.elements.flatMap(paragraphs)
    case "Sequence":
      return [...paragraphs(doc.left), ...paragraphs(doc.right)]
  }
}

export const span = (self: Span.Span): string => {
  switch (self._tag) {
    case "Text":
    case "URI":
      return self.value
    case "Sequence":
      return span(self.left) + span(self.right)
    default:
      return span(self.value)
  }
}
