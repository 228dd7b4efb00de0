/** Shows what one can do in a new conversation, and without a model what works anyway and how to get one. */
import { useState } from "preact/hooks"
import { Icon } from "../Icon.tsx"
import { format } from "../Route.ts"
import { setDraft } from "./Composer.tsx"
import { isPickingModels } from "./ModelPicker.tsx"
import { hasTools, refusal } from "./store.ts"

export const Welcome = () => (
  <div class="welcome">
    {refusal.value === "" ? <WithModel /> : <WithoutModel />}
    <p class="meta">
      The model reads the document beside this conversation, which both of you edit
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

/** The ways to a model that cost the least effort, each a command for a terminal. */
const ways: ReadonlyArray<readonly [name: string, about: string, command: string]> = [
  ["Google", "free to begin with, key from aistudio.google.com/apikey", "GOOGLE_API_KEY=… vibe serve"],
  ["Anthropic", "key from console.anthropic.com", "ANTHROPIC_API_KEY=… vibe serve --model anthropic"],
  ["OpenAI", "key from platform.openai.com", "OPENAI_API_KEY=… vibe serve --model openai"],
  ["Ollama", "on this machine, without a key", "ollama pull qwen3 && vibe serve --model ollama/qwen3"],
]

const WithoutModel = () => (
  <>
    <h2>No model is set up yet</h2>
    <p>These need none:</p>
    <div class="works">
      <a class="card" href={format({ view: "index", at: "" })}>
        <Icon name="folder" />
        <b>Index</b>
        <span>Read the project: its parts, its symbols, who uses them, and a search that takes questions.</span>
      </a>
      <a class="card" href={format({ view: "forest", id: undefined })}>
        <Icon name="history" />
        <b>Forest</b>
        <span>Read, search and compare the conversations that are there, also those of other programs.</span>
      </a>
    </div>
    <p>To talk to a model, start vibe with a key of one of these:</p>
    <dl class="ways">
      {ways.map(([name, about, command]) => (
        <div key={name}>
          <dt>
            {name} <span class="meta">{about}</span>
          </dt>
          <dd>
            <code>
              {command.split(" ").map((word) => (
                // An option is not broken at its hyphens.
                <>
                  <span>{word}</span>{" "}
                </>
              ))}
            </code>
            <Copy text={command} />
          </dd>
        </div>
      ))}
    </dl>
    <p class="meta">
      <code>vibe models</code> lists all providers.{" "}
      <button type="button" onClick={() => (isPickingModels.value = true)}>
        Models that answer already
      </button>
    </p>
  </>
)

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
