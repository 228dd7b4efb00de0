/** The tests that hold in Windows. */

/** The others need FIFOs, permissions, signals or shell scripts, or write the paths of POSIX. */
export const files = [
  "test/ownNode.test.ts",
  "test/process/",
  "test/disk/FileSystem.test.ts",
  "test/disk/FileSystem.makeFolder.test.ts",
  "test/base/mutex.test.ts",
  "test/code/internal/Sandbox.windows.test.ts",
  "test/code/Selection.test.ts",
  "test/lookup/paths.windows.test.ts",
  "test/conversation/FileNames.test.ts",
  "test/install/Launch.test.ts",
  "test/cli/serve/Browser.test.ts",
  "test/cli/terminal/Pager.test.ts",
  "test/cli/View/terminal/Clipboard.test.ts",
  "test/cli/View/terminal/ExternalEditor.test.ts",
  "test/cli/View/terminal/PictureChips.test.ts",
]
