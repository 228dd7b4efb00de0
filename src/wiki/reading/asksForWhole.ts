/** Tells the questions that pages may answer, before anything of a wiki is loaded or read. Pure. */

/** Words with which a question asks how something works as a whole. */
const whole =
  /^(?:how (?:does|do|is|are)\b|what happens\b|explain\b|describe\b|walk me through\b|give me an overview\b)|\b(?:overview|architecture|life ?cycle|step by step|as a whole|end to end)\b/i

/** Names as code has them: a question with one is about that symbol. */
const hasName = /[a-z][A-Z]|\w_\w|\w\(|\w\.\w|[`/\\#]|::/

export const asksForWhole = (question: string): boolean => whole.test(question.trim()) && !hasName.test(question)
