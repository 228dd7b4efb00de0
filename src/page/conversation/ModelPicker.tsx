/** Lets the user choose which models answer and how often, and shows their prices. */
import { signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { request } from "../Client.ts"
import { Dialog } from "../Dialog.tsx"
import { formatCount, formatDeprecation, formatPrice } from "../format.ts"
import { openBatch } from "./compare.ts"
import { asks, attemptRead, choose, messages, refusal, state } from "./store.ts"

interface Model {
  readonly id: string
  readonly usable: boolean
  /** The environment variable of the missing key. */
  readonly needs?: string
  readonly context?: number
  readonly input?: number
  readonly output?: number
  readonly deprecation?: { readonly from?: string; readonly successor?: string }
}

export const isPickingModels = signal(false)
const models = signal<ReadonlyArray<Model>>([])
const most = 8

/**
 * Orders the models: those that are chosen already come first, then those that can answer, and then those that need a
 * key. Deprecated ones are the last of both.
 */
const rankOf = ({ deprecation, id, usable }: Model, chosen: ReadonlyArray<string>): number =>
  chosen.includes(id) ? -1 : (usable ? 0 : 2) + (deprecation === undefined ? 0 : 1)

export const ModelPicker = () => {
  const [search, setSearch] = useState("")
  const [isAll, setIsAll] = useState(false)
  const [n, setN] = useState(1)
  useEffect(() => {
    void attemptRead(async () => {
      models.value = await request<ReadonlyArray<Model>>("GET", "/models")
    })
  }, [])
  const close = () => (isPickingModels.value = false)
  const { value: picked } = asks
  // The order stays what it was when the list was opened: no line moves while one chooses.
  const [chosen] = useState(picked)
  const pick = (model: string, isPicked: boolean) => {
    const next = isPicked ? [...picked, model].slice(-most) : picked.filter((other) => other !== model)
    choose(next.length === 1 && next[0] === state.value?.model ? [] : next)
  }
  const shown = models.value
    .filter(
      ({ id, usable }) => (usable || isAll || picked.includes(id)) && id.toLowerCase().includes(search.toLowerCase()),
    )
    .toSorted((one, other) => rankOf(one, chosen) - rankOf(other, chosen))
    .slice(0, 200)
  const last = messages.value?.findLast(({ kind }) => kind === "user")
  const answerNow = () => {
    if (last === undefined) return
    close()
    void openBatch(last.id, { models: picked, n })
  }
  return (
    <Dialog title="Models" onClose={close}>
      <input
        type="search"
        aria-label="Search models"
        placeholder="Search"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <p class="meta">Choose several, and all of them answer, side by side. Prices are for a million tokens.</p>
      <section class="scroll" tabindex={0} aria-label="List of models">
        <table class="models">
          <thead>
            <tr>
              <th>Model</th>
              <th>Context</th>
              <th title="US dollars for a million tokens of input">$ in</th>
              <th title="US dollars for a million tokens of output">$ out</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ context, deprecation, id, input, needs, output, usable }) => (
              <tr key={id} class={usable ? "" : "unusable"}>
                <td>
                  <label>
                    <input
                      type="checkbox"
                      checked={picked.includes(id)}
                      disabled={!usable}
                      onChange={({ currentTarget }) => pick(id, currentTarget.checked)}
                    />
                    {id}
                  </label>
                  {deprecation !== undefined && (
                    <span class="meta deprecated" title={formatDeprecation(deprecation)}>
                      {" "}
                      deprecated
                    </span>
                  )}
                  {!usable && <span class="meta needs"> {needs === undefined ? "no key" : `${needs} is not set`}</span>}
                </td>
                <td>{context === undefined ? "" : formatCount(context)}</td>
                <td>{formatPrice(input)}</td>
                <td>{formatPrice(output)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p class="empty">
            {models.value.length === 0
              ? "…"
              : search === ""
                ? "No model can answer yet: no key is set, and no Ollama answers. A new conversation says how to get one."
                : "No model has that name."}
          </p>
        )}
      </section>
      <label>
        <input type="checkbox" checked={isAll} onChange={({ currentTarget }) => setIsAll(currentTarget.checked)} /> Also
        models that need a key
      </label>
      <footer class="row">
        <label>
          Answers of each{" "}
          <input
            type="number"
            min={1}
            max={most}
            value={n}
            onInput={({ currentTarget }) => setN(Math.min(most, Math.max(1, currentTarget.valueAsNumber || 1)))}
          />
        </label>
        <button type="button" disabled={last === undefined || refusal.value !== ""} onClick={answerNow}>
          Answer the last message again
        </button>
        <button type="button" class="primary" onClick={close}>
          Done
        </button>
      </footer>
    </Dialog>
  )
}
