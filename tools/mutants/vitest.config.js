/** The tests of the modules, for StrykerJS: those that start the built program, or end a process again and again, are left out. */
import { defineConfig } from "vitest/config"
import { exclude } from "../../vitest.config.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The only tests of `src/mcp/Client.ts`; they start small programs.
    exclude: exclude.filter((pattern) => pattern !== "test/mcp/Client.test.ts"),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "threads",
    isolate: false,
    setupFiles: ["test/restoreTesters.ts"],
  },
})
