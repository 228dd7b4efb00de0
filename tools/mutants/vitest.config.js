/** The tests of the modules, for StrykerJS: those that start programs again and again are left out. */
import { defineConfig } from "vitest/config"
import { exclude } from "../../vitest.config.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "threads",
    isolate: false,
    setupFiles: ["test/restoreTesters.ts"],
  },
})
