/** Shows a folder or a file of the index. */
import type { Index } from "../Client.ts"
import { query } from "../Client.ts"
import { formatNumber, formatPlural } from "../format.ts"
import { linkTo } from "./Project.ts"
import { Source } from "./Source.tsx"
import { Prose, Symbols } from "./SymbolView.tsx"
import { useAnswer } from "./useAnswer.ts"

export const Place = ({ path }: { readonly path: string }) => {
  const { body: place, missing } = useAnswer<Index.Place>(`/index/place${query({ path })}`)
  if (place === undefined) return <p class="empty">{missing ?? "…"}</p>
  if (place.type === "file") {
    return (
      <article>
        <p class="kind">file</p>
        <h2>
          <code>{nameOf(place.path)}</code> <span class="meta">{formatPlural(place.symbols.length, "symbol")}</span>
        </h2>
        {place.symbols.length === 0 && <p class="empty">It declares no symbols.</p>}
        {place.lines.length > 0 && <Source path={place.path} first={1} lines={place.lines} />}
        <Symbols all={place.symbols} />
      </article>
    )
  }
  return (
    <article>
      {place.path !== "." && (
        <>
          <p class="kind">folder</p>
          <h2>
            <code>{nameOf(place.path)}/</code>
          </h2>
        </>
      )}
      {place.central.length > 0 && (
        <>
          <h3>Where {place.path === "." ? "the project" : "this"} begins, and what it is built on</h3>
          <Symbols all={place.central} />
        </>
      )}
      {place.folders.length > 0 && (
        <table class="entries">
          <Head name="Folder" what="What it is for" />
          <tbody>
            {sortFolders(place.folders).map(({ files, major, open, path, purpose, symbols }) => (
              <tr key={path}>
                <th scope="row">
                  <a href={linkTo(path)}>{nameOf(path)}/</a>
                </th>
                <td>
                  {purpose === undefined ? (
                    <span class="meta">{formatPlural(files, "file")}</span>
                  ) : (
                    <Prose text={purpose} />
                  )}
                </td>
                <td>{symbols === 0 ? "" : formatNumber(symbols)}</td>
                <td>{share(major, open)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {place.files.length > 0 && (
        <table class="entries">
          <Head name="File" what="Language" />
          <tbody>
            {place.files
              .toSorted((one, other) => Number(isCode(other)) - Number(isCode(one)) || other.symbols - one.symbols)
              .map((file) => (
                <tr key={file.path}>
                  <th scope="row">
                    <a href={linkTo(file.path)}>{nameOf(file.path)}</a>
                  </th>
                  <td>
                    <span class="meta">
                      {[file.note ?? file.language, file.class === "code" ? undefined : file.class]
                        .filter((each) => each !== undefined)
                        .join(" · ")}
                    </span>
                  </td>
                  <td>{file.symbols === 0 ? "" : formatNumber(file.symbols)}</td>
                  <td>{share(file.major, file.open)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </article>
  )
}

/** Folders with the most code come first, since what one wants to read is there. */
const sortFolders = (folders: ReadonlyArray<Index.Folder>) =>
  folders.toSorted((one, other) => other.symbols - one.symbols)

/** Code comes before tests, which often have more symbols. */
const isCode = (file: Index.File): boolean => file.class === "code"

const Head = ({ name, what }: { readonly name: string; readonly what: string }) => (
  <thead>
    <tr>
      <th scope="col">{name}</th>
      <th scope="col">{what}</th>
      <th scope="col">Symbols</th>
      <th scope="col">Explained</th>
    </tr>
  </thead>
)

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Returns the share of major symbols with a purpose, such as `12 of 15`. */
const share = (major: number, open: number): string =>
  major === 0 ? "" : `${formatNumber(major - open)} of ${formatNumber(major)}`
