/** Answers side by side. A request wants one of them; servers may send more, in one event or in turn. Pure. */

/** Whether an entry is of the first of them. Servers that send no more than one may leave its number out. */
export const isFirst = ({ index }: { readonly index?: unknown }): boolean => index == null || index === 0
