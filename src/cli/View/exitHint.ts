/** What a user at a keyboard is shown on `View.Entry.ExitHint`. */
export const exitHint = "Ctrl-C again leaves; so does /quit"
