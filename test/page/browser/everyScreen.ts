/** Every screen of the page with its dialogs and menus, and how each is reached. */
import type { Locator, Page } from "playwright-core"
import { wiki as pages } from "./screens.ts"

/**
 * The servers that the screens need: `project` has an index with a wiki and conversations, also of another program,
 * `conversation` a model that a test scripts, `tools` one that may read files, and `bare` has neither an index, nor
 * conversations, nor a key. A screen ends the one that is `ending`.
 */
export type Server = "project" | "conversation" | "tools" | "bare" | "ending"

export interface Screen {
  readonly server: Server
  /** Begins with a page that is loaded, and resolves when all that belongs to the screen is there. */
  readonly show: (page: Page, origin: string, end: () => Promise<void>) => Promise<unknown>
  /** The screen of a narrow window alone, in whose menu a wide one has nothing. */
  readonly isNarrow?: true
}

/** The pages of a wiki that link to the flow that an index finds by itself. */
export const wiki = {
  ...pages,
  index: pages.index.replace(
    "\n\n[total]:",
    "\n\n## Flows\n\n- [What main does, step by step](flow-main.md) [total]\n\n[total]:",
  ),
}

const index =
  (at: string, isThere: (page: Page) => Locator, act?: (page: Page) => Promise<unknown>) =>
  async (page: Page, origin: string) => {
    await page.goto(`${origin}/#/index/${at}`)
    await isThere(page).first().waitFor()
    await act?.(page)
  }

const startPage = (act?: (page: Page) => Promise<unknown>) => index("", (page) => page.locator(".symbols"), act)

const openPalette = async (page: Page, origin: string) => {
  await startPage()(page, origin)
  await page.keyboard.press("Control+k")
}

const search = async (page: Page, text: string) => {
  await page.getByRole("searchbox", { name: "Search the index" }).or(page.getByLabel("Search the index")).fill(text)
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name }).waitFor()

const message = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true })
const answers = (page: Page) => page.locator(".message.assistant:not([aria-busy=true])")

/** Begins an empty conversation. */
const begin = async (page: Page) => {
  await page.waitForURL(/#\/c\//)
  await message(page).waitFor()
  await page.locator(".welcome, .message").first().waitFor()
  if (await page.locator(".welcome").isVisible()) return
  await message(page).blur()
  const before = page.url()
  await page.keyboard.press("n")
  await page.waitForURL((url) => url.href !== before)
  await page.locator(".welcome").waitFor()
}

const say = async (page: Page, text: string) => {
  await message(page).fill(text)
  await message(page).press("Enter")
}

const ask = async (page: Page, text: string) => {
  const before = await answers(page).count()
  await say(page, text)
  await answers(page).nth(before).waitFor()
}

/** Begins a conversation with a question and its answer. */
const beginWith = async (page: Page, text = "Write a test for the sum of a cart") => {
  await begin(page)
  await ask(page, text)
  await page.locator(".message.assistant .tok-k").first().waitFor()
}

const edit = async (page: Page, text: string) => {
  await message(page).press("ArrowUp")
  const box = page.getByRole("textbox", { name: "Edit the message" })
  await box.fill(text)
  await box.press("Enter")
  await page.locator(".versions").first().waitFor()
  await answers(page).first().waitFor()
}

/** Asks a second model the same, and waits for both answers side by side. */
const compare = async (page: Page) => {
  await beginWith(page)
  await page.getByTitle("Choose the model, or several").click()
  const models = page.getByRole("dialog", { name: "Models" })
  await models.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).check()
  await models.getByRole("button", { name: "Answer the last message again" }).click()
  const both = page.getByRole("dialog", { name: "2 answers" })
  await both.getByRole("button", { name: "Continue with this" }).nth(1).waitFor()
  return both
}

const forest = async (page: Page, origin: string) => {
  await page.goto(`${origin}/#/forest`)
  await page.getByRole("treeitem").first().waitFor()
  await page.getByRole("tree").focus()
}

/** Goes to the line of a text in the forest. */
const line = async (page: Page, text: string) => {
  await page.getByRole("treeitem").filter({ hasText: text }).first().click()
  await page.locator("[role=treeitem][aria-selected=true]").filter({ hasText: text }).waitFor()
  await page.locator(".detail").waitFor()
}

const branches = async (page: Page, origin: string) => {
  await forest(page, origin)
  await line(page, "How are requests retried?")
  await page.locator(".branches-picture").waitFor()
}

/** Goes to the first branch of the conversation that `branches` shows. */
const firstBranch = async (page: Page, origin: string) => {
  await branches(page, origin)
  await page.keyboard.press("ArrowRight")
  await page.locator("[role=treeitem][aria-level='2']").waitFor()
  await page.keyboard.press("ArrowDown")
  await page.locator("[role=treeitem][aria-level='2'][aria-selected=true]").waitFor()
}

type Show = Screen["show"]

const inProject = (show: Show): Screen => ({ server: "project", show })
const inConversation = (show: Show): Screen => ({ server: "conversation", show })
const withTools = (show: Show): Screen => ({ server: "tools", show })
const inBare = (show: Show): Screen => ({ server: "bare", show })
const whileEnding = (show: Show): Screen => ({ server: "ending", show })
const narrow = (screen: Screen): Screen => ({ ...screen, isNarrow: true })

/** A conversation with a question and its answer, and what is done then. */
const afterAnswer = (act?: Show): Screen =>
  inConversation(async (page, origin, end) => {
    await beginWith(page)
    await act?.(page, origin, end)
  })

export const everyScreen: Readonly<Record<string, Screen>> = {
  "index start": inProject(startPage()),
  "index contents of the wiki": inProject(
    index(
      "wiki~cart",
      (page) => page.getByRole("heading", { name: "Cart" }),
      (page) => page.locator(".wiki-contents summary").click(),
    ),
  ),
  "index part": inProject(index("wiki~cart", (page) => page.getByRole("heading", { name: "Cart" }))),
  "index flow": inProject(index("wiki~flow-main", (page) => page.locator(".wiki-picture"))),
  "index folder": inProject(index("src", (page) => page.locator(".entries"))),
  "index file": inProject(index("src/price.ts", (page) => page.locator(".symbols"))),
  "index symbol": inProject(index("src/cart.ts:4", (page) => page.locator(".picture a.center"))),
  "index symbol with its history": inProject(
    index(
      "src/price.ts:6",
      (page) => page.locator(".picture a.center"),
      async (page) => {
        await page.getByText("History of its purpose").click()
        await page.locator(".history li").first().waitFor()
        await page.getByRole("button", { name: "Why?" }).click()
      },
    ),
  ),
  "index line within a symbol": inProject(index("src/cart.ts:6", (page) => page.locator(".source .marked"))),
  "index search": inProject(
    startPage(async (page) => {
      await search(page, "the cart, the sum of all items, and what an item costs")
      await page.locator(".answers li").nth(1).waitFor()
      await page.keyboard.press("ArrowDown")
      await page.locator(".answers [aria-current]").waitFor()
    }),
  ),
  "index search without results": inProject(
    startPage(async (page) => {
      await search(page, "zyzzyva")
      await page.locator(".answers .empty").waitFor()
    }),
  ),
  "index results beside a symbol": inProject(
    startPage(async (page) => {
      await search(page, "the sum of all items, and what an item costs")
      await page.locator(".answers li").nth(1).waitFor()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.locator(".results a[aria-current]").waitFor({ state: "attached" })
      await page.locator(".picture a.center").waitFor()
    }),
  ),
  "index coverage": inProject(startPage((page) => page.locator(".coverage summary").click())),
  "index explain": inProject(
    startPage(async (page) => {
      await page.getByRole("button", { name: "Explain…" }).click()
      await dialog(page, "Explain the open symbols")
      await page.getByText(/^About \d/).waitFor()
    }),
  ),
  "index keys": inProject(
    startPage(async (page) => {
      await page.keyboard.press("?")
      await dialog(page, "Keys")
    }),
  ),
  "index narrow folders": narrow(
    inProject(
      index(
        "src/cart.ts",
        (page) => page.locator(".content .symbols"),
        (page) => page.getByRole("button", { name: "Folders" }).click(),
      ),
    ),
  ),
  "index without a place": inProject(index("src/gone.ts", (page) => page.locator(".content .empty"))),
  "index that does not exist": inBare(index("", (page) => page.locator(".without"))),
  "an address that leads nowhere": inProject(async (page, origin) => {
    await page.goto(`${origin}/#/nowhere`)
    await page.getByText("There is no such page.").waitFor()
  }),

  "conversation new": inConversation(begin),
  "conversation new with tools": withTools(begin),
  "conversation without a key": inBare(async (page, origin) => {
    await page.goto(`${origin}/#/c`)
    await page.locator(".ways").waitFor()
  }),
  "conversation answer": afterAnswer(),
  "conversation message in focus": afterAnswer(async (page) => {
    await page.getByRole("log").focus()
    await page.keyboard.press("k")
    await page.keyboard.press("k")
    await page.locator(".message.user:focus").waitFor()
  }),
  "conversation with a document": afterAnswer(async (page) => {
    await ask(page, "Make a plan of it")
    await page.getByRole("button", { name: "Document", exact: true }).waitFor()
    await page.locator(".cm-content").getByText("- a step of the model").waitFor({ state: "attached" })
  }),
  "conversation narrow document": narrow(
    inConversation(async (page) => {
      await begin(page)
      await ask(page, "Make a plan of it")
      await page.getByRole("button", { name: "Document", exact: true }).click()
      await page.locator(".cm-content").getByText("- a step of the model").waitFor()
    }),
  ),
  "conversation versions of the document": inConversation(async (page) => {
    await begin(page)
    await ask(page, "Make a plan of it")
    await ask(page, "Another plan")
    await page.locator(".cm-content").getByText("- a step of the model").nth(1).waitFor()
    await page.getByRole("button", { name: "Versions" }).click()
    await dialog(page, "Versions of the document")
    await page.getByRole("dialog").locator(".cm-content").first().waitFor()
  }),
  "conversation answer that failed": inConversation(async (page) => {
    await begin(page)
    await say(page, "this fails")
    await page.getByRole("alert").getByText("this request is refused").waitFor()
  }),
  "conversation message without an answer": inConversation(async (page) => {
    await begin(page)
    await say(page, "this fails")
    await page.getByRole("alert").getByText("this request is refused").waitFor()
    await say(page, "a question")
    await page.getByText(/^Not answered: /).waitFor()
    await page.getByRole("alert").getByText("this request is refused").waitFor()
  }),
  "conversation running": inConversation(async (page) => {
    await begin(page)
    await say(page, "this waits")
    await page.getByText("The first half,").waitFor()
    await say(page, "And then write down what has been decided, with the reasons, in at most two hundred words")
    await page.locator(".waiting li").waitFor()
  }),
  "conversation two models running": inConversation(async (page) => {
    await begin(page)
    await page.getByTitle("Choose the model, or several").click()
    const models = page.getByRole("dialog", { name: "Models" })
    await models.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).check()
    await models.getByRole("button", { name: "Done" }).click()
    await say(page, "this waits")
    await page.getByText("The first half,").nth(1).waitFor()
  }),
  "conversation models": afterAnswer(async (page) => {
    await page.getByTitle("Choose the model, or several").click()
    await dialog(page, "Models")
    await page.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).waitFor()
    await page.getByLabel("Also models that need a key").check()
  }),
  "conversation compare": inConversation(compare),
  "conversation compare differences": inConversation(async (page) => {
    const both = await compare(page)
    await both.getByRole("checkbox").check()
    await both.locator("ins").first().waitFor()
  }),
  "conversation versions": afterAnswer(async (page) => {
    await edit(page, "Write two tests for the sum of a cart")
    await edit(page, "Write three tests for the sum of a cart")
    await page.locator(".versions", { hasText: "3 of 3" }).waitFor()
  }),
  "conversation compare versions": afterAnswer(async (page) => {
    await edit(page, "Write two tests for the sum of a cart")
    await page.getByRole("button", { name: "Compare" }).click()
    await dialog(page, "2 answers")
  }),
  "conversation editing": afterAnswer(async (page) => {
    await message(page).press("ArrowUp")
    await page.getByRole("textbox", { name: "Edit the message" }).waitFor()
  }),
  "conversation files": inConversation(async (page) => {
    await begin(page)
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkqPtfDwAEAwHqaP8s1AAAAABJRU5ErkJggg=="
    await page.locator("input[type=file]").setInputFiles([
      { name: "a-picture.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") },
      { name: "notes of the meeting about vouchers.md", mimeType: "text/markdown", buffer: Buffer.from("one\ntwo") },
    ])
    await page.locator(".files li").nth(1).waitFor()
    await message(page).fill("What do these say?")
  }),
  "conversation files that were sent": inConversation(async (page) => {
    await begin(page)
    await page
      .locator("input[type=file]")
      .setInputFiles([{ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("one\ntwo") }])
    await page.locator(".files li").waitFor()
    await ask(page, "What do these say?")
    await page.locator(".message.user .fold summary").click()
  }),
  "conversation tools": withTools(async (page) => {
    await begin(page)
    await say(page, "look around")
    await answers(page).getByText("This is gemini-2.5-flash.").waitFor()
    await page.locator(".message .fold summary").first().click()
  }),
  "conversation title": afterAnswer(async (page) => {
    await page.getByTitle("Rename").click()
    await page.getByRole("textbox", { name: "Title" }).waitFor()
  }),
  "conversation narrow list": narrow(
    afterAnswer(async (page) => {
      await page.getByRole("button", { name: "List" }).click()
      await page.locator(".list li").first().waitFor()
    }),
  ),
  "conversation list without results": afterAnswer(async (page) => {
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("zyzzyva")
    await page.locator(".list .empty").waitFor()
  }),
  "conversation keys": afterAnswer(async (page) => {
    await page.getByRole("log").focus()
    await page.keyboard.press("?")
    await dialog(page, "Keys")
  }),
  "conversation that is gone": inConversation(async (page, origin) => {
    await page.goto(`${origin}/#/c/no-such-conversation`)
    await page.locator(".pane-chat .nothing").waitFor()
  }),

  "forest list": inProject(forest),
  "forest import": inProject(async (page, origin) => {
    await forest(page, origin)
    await line(page, "Why does the total")
  }),
  "forest branches": inProject(branches),
  "forest branches of answers": inConversation(async (page, origin) => {
    await beginWith(page, "How would you test the sum of a cart with vouchers, gift cards and an empty cart?")
    await ask(page, "Which of them matters most, and why?")
    await edit(page, "Which of them would you leave out?")
    await ask(page, "And what remains?")
    await forest(page, origin)
    await line(page, "How would you test the sum")
    await page.locator(".branches-picture").waitFor()
  }),
  "forest open tree": inProject(async (page, origin) => {
    await branches(page, origin)
    await page.getByRole("tree").focus()
    await page.keyboard.press("ArrowRight")
    await page.locator("[role=treeitem][aria-level='2']").waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    await page.getByRole("treeitem").filter({ hasText: "With a policy." }).waitFor()
    await line(page, "With a policy.")
  }),
  "forest search": inProject(async (page, origin) => {
    await forest(page, origin)
    await page.getByLabel("Search titles and messages").fill("wait each time")
    await page.locator(".hits button").first().waitFor()
  }),
  "forest search without results": inProject(async (page, origin) => {
    await forest(page, origin)
    await page.getByLabel("Search titles and messages").fill("zyzzyva")
    await page.locator(".hits .empty").waitFor()
  }),
  "forest compare": inProject(async (page, origin) => {
    await firstBranch(page, origin)
    await page.keyboard.press("c")
    await page.getByRole("dialog").locator("[data-column]").nth(2).waitFor()
  }),
  "forest new bookmark": inProject(async (page, origin) => {
    await firstBranch(page, origin)
    await page.keyboard.press("b")
    await dialog(page, "Bookmark this message")
  }),
  "forest without bookmarks": inBare(async (page, origin) => {
    await page.goto(`${origin}/#/forest`)
    await page.getByRole("button", { name: "Bookmarks" }).click()
    await dialog(page, "Bookmarks")
    await page.getByText("There are none.").waitFor()
  }),
  "forest history": inConversation(async (page, origin) => {
    await beginWith(page)
    await forest(page, origin)
    await page.getByRole("button", { name: "History" }).click()
    await dialog(page, "What was done")
    await page.getByRole("dialog").locator("li").first().waitFor()
  }),
  "forest keys": inProject(async (page, origin) => {
    await forest(page, origin)
    await page.keyboard.press("?")
    await dialog(page, "Keys")
  }),
  "forest without conversations": inBare(async (page, origin) => {
    await page.goto(`${origin}/#/forest`)
    await page.locator(".panes .nothing").waitFor()
  }),

  palette: inProject(async (page, origin) => {
    await openPalette(page, origin)
    await dialog(page, "Palette")
    await page.getByRole("group", { name: "Commands" }).waitFor()
  }),
  "palette with a name": inProject(async (page, origin) => {
    await openPalette(page, origin)
    await page.keyboard.type("price")
    await page.getByRole("group", { name: "Symbols" }).waitFor()
  }),
  "palette without results": inProject(async (page, origin) => {
    await openPalette(page, origin)
    await page.keyboard.type("zyzzyva")
    await page.getByText("Nothing has that name.").waitFor()
  }),
  "a page without access": inProject(async (page, origin) => {
    await page.context().clearCookies()
    await page.goto(`${origin}/#/forest`)
    await page.reload()
    await page.getByText("This page has no access").waitFor()
  }),
  "a server that is gone": whileEnding(async (page, origin, end) => {
    await page.goto(`${origin}/#/index/`)
    await page.locator(".symbols").first().waitFor()
    await end()
    await page.locator(".notice", { hasText: "cannot be reached" }).waitFor()
  }),
}
