/** Two small projects: a shop of functions, and one of objects in two languages. */
import type { Project } from "../../index/IndexStore/references/References.fixture.ts"

export const shop: Project = {
  "src/index.ts": 'export { order } from "./order"\n',
  "src/order.ts": `import { price } from "./price"
import { save } from "./store"
import { notify } from "./mail"

/** Takes an order of a customer. */
export function order(items: Array<string>) {
  const later = () => {
    notify("done")
  }
  const sum = price(items)
  save(sum)
  return later
}
`,
  "src/price.ts": `import { rate } from "./rate"

/** Sums the prices of items, with [tax]. */
export function price(items: Array<string>): number {
  return items.length * rate()
}
`,
  "src/rate.ts": 'import { price } from "./price"\nexport function rate(): number {\n  return price([]) + 1\n}\n',
  "src/store.ts": "export function save(sum: number) {\n  return sum\n}\n",
  "src/mail.ts": "export function notify(text: string) {\n  return text\n}\n",
  "src/order.test.ts": 'import { order } from "./order"\norder([])\n',
}

/** A program with calls on objects that are kept in fields and variables. */
export const objects: Project = {
  "src/store.ts": `export class Store {
  append(text: string) {
    this.write(text)
  }
  write(text: string) {
    return text
  }
}
`,
  "src/app.ts": `import { Store } from "./store"

export class App {
  readonly store: Store = new Store()
  run() {
    this.store.append("x")
    this.stop()
  }
  stop() {
    const other = new Store()
    other.write("y")
  }
}
export function main() {
  const app = new App()
  app.run()
}
`,
  "lib/app.py": `class Store:
    def append(self, text):
        return text


class App:
    def __init__(self):
        self.store = Store()

    def run(self):
        self.store.append("x")


def serve():
    app = App()
    app.run()
`,
}
