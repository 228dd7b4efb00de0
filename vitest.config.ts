import { defineConfig } from "vitest/config"

// Processes wait for one another in many tests: as many files at once as there are cores, not one less.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/program/build.ts"],
    testTimeout: 20_000,
    maxWorkers: "100%",
  },
})
