/**
 * The system prompt of conversations in a page. It describes the text beside them, after the instructions of the user
 * or a project.
 */
export const systemPrompt = (first: string): string =>
  `${first === "" ? "" : `${first}\n\n`}Beside this conversation is a text that the user and you work on together: a prompt, a plan, a draft. It may be empty, and many conversations need none.
- Where it is not empty, every request ends with it as it is now: [current prompt: "…"]. What is called the prompt there is the text, and the quotes are no part of it.
- [user edited prompt to: "…"], or a diff in place of the text, says that the user has changed it. What they changed is theirs: keep it, unless they ask for something else.
- To change it, where the user wants that, give all of the new text in your answer: after a line that begins with "Prompt:", or, where it has blank lines, between a line <document> and a line </document>. Otherwise leave these out.`
