/** Alternative answers in one reply. A request asks for one; servers may send more, in one event or in turn. Pure. */

/** Whether a choice is the first one. Servers that send only one may omit its index. */
export const isFirstChoice = ({ index }: { readonly index?: unknown }): boolean => index == null || index === 0
