/** Shows what one can do in a new conversation, and without a model what works anyway and how to get one. */
import { useEffect, useState } from "preact/hooks"
import { request } from "../Client.ts"
import { Icon } from "../Icon.tsx"
import { format } from "../Route.ts"
import { setDraft } from "./Composer.tsx"
import { isPickingModels } from "./ModelPicker.tsx"
import { attemptRead, hasTools, refusal } from "./store.ts"

export const Welcome = () => (
  <div class="welcome">
    {refusal.value === "" ? <WithModel /> : <WithoutModel />}
    <p class="meta">
      {refusal.value === "" ? "The model reads" : "A model reads"} the document beside this conversation, which both of
      you edit
      {hasTools.value === true ? (
        ", and can read the project that is served here."
      ) : (
        <>
          . It has no tools: <code>vibe serve --tools</code> lets it read the project that is served here.
        </>
      )}
    </p>
  </div>
)

const withTools = [
  "What is this project for, and where does it begin?",
  "What happens from a request to its answer?",
  "Which parts would you read first to change something here?",
]
const withoutTools = [
  "Write a plan with me, as the document",
  "Review the text in the document",
  "Compare two designs for me",
]

const WithModel = () => (
  <>
    <h2>What are you working on?</h2>
    <ul class="starts">
      {(hasTools.value === true ? withTools : withoutTools).map((text) => (
        <li key={text}>
          <button
            type="button"
            class="card"
            onClick={() => {
              setDraft(text)
              document.getElementById("message")?.focus()
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  </>
)

interface Way {
  readonly name: string
  readonly about: string
  /** The address at which a key is made; undefined if none is needed. */
  readonly keys?: string
  /** The command for a terminal, before vibe is started again there. */
  readonly command: string
}

// A key is typed in a terminal and never in the page: no file and no request of vibe carries one.
const set = (variable: string): string =>
  navigator.userAgent.includes("Windows") ? `$env:${variable} = "…"` : `export ${variable}=…`

/** The ways to a model that cost the least effort. */
const ways: ReadonlyArray<Way> = [
  {
    name: "Google",
    about: "free to begin with",
    keys: "https://aistudio.google.com/apikey",
    command: set("GOOGLE_API_KEY"),
  },
  {
    name: "Anthropic",
    about: "",
    keys: "https://console.anthropic.com/settings/keys",
    command: set("ANTHROPIC_API_KEY"),
  },
  { name: "OpenAI", about: "", keys: "https://platform.openai.com/api-keys", command: set("OPENAI_API_KEY") },
  { name: "Ollama", about: "on this machine, without a key", command: "ollama pull qwen3" },
]

const WithoutModel = () => {
  const [canAnswer, setCanAnswer] = useState(false)
  useEffect(() => {
    void attemptRead(async () => {
      const models = await request<ReadonlyArray<{ readonly usable: boolean }>>("GET", "/models")
      setCanAnswer(models.some(({ usable }) => usable))
    })
  }, [])
  return (
    <>
      <h2>No model is set up yet</h2>
      <p class="meta why" role="status">
        {refusal.value}.
      </p>
      {canAnswer && (
        <p>
          <button type="button" onClick={() => (isPickingModels.value = true)}>
            Choose a model that answers already
          </button>
        </p>
      )}
      <p>These need none:</p>
      <div class="works">
        <a class="card" href={format({ view: "index", at: "" })}>
          <Icon name="folder" />
          <b>Index</b>
          <span>Read the project: its parts, its symbols, what uses them, and a search that takes questions.</span>
        </a>
        <a class="card" href={format({ view: "forest", id: undefined })}>
          <Icon name="history" />
          <b>Forest</b>
          <span>Read, search and compare the conversations that are there, also those of other programs.</span>
        </a>
      </div>
      <p>
        To talk to a model, stop vibe in its terminal with Ctrl-C, enter one of these lines there, with your key in
        place of the dots, and start vibe again as before:
      </p>
      <dl class="ways">
        {ways.map(({ about, command, keys, name }) => (
          <div key={name}>
            <dt>
              {name}{" "}
              <span class="meta">
                {about}
                {about !== "" && keys !== undefined && ", "}
                {keys !== undefined && (
                  <a href={keys} target="_blank" rel="noreferrer">
                    get a key
                  </a>
                )}
              </span>
            </dt>
            <dd>
              <code>{command}</code>
              <Copy text={command} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const Copy = ({ text }: { readonly text: string }) => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setIsCopied(true)
        setTimeout(() => setIsCopied(false), 1500)
      },
      () => {},
    )
  return (
    <button type="button" class="quiet only-icon" aria-label={`Copy ${text}`} title="Copy" onClick={copy}>
      <Icon name={isCopied ? "check" : "copy"} />
    </button>
  )
}
