/** Shows what the Index view opens with: the project as a whole. */
import type { Index } from "../Client.ts"
import { formatPlural } from "../format.ts"
import { StartPage } from "../wiki/WikiPage.tsx"
import { Place } from "./Place.tsx"

export const Start = ({ status: now }: { readonly status: Index.Status }) => (
  <>
    <p class="kind">project</p>
    <h2>{now.root.slice(now.root.lastIndexOf("/") + 1)}</h2>
    <p class="meta">
      {formatPlural(now.files, "file")} · {formatPlural(now.symbols, "symbol")}
      {now.byComment + now.byModel > 0 && ` · ${formatPlural(now.byComment + now.byModel, "purpose")}`}
    </p>
    <StartPage map={now.map} />
    <Place path="" />
  </>
)
