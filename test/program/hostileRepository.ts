/** A repository that tries to start programs by its settings, hooks, attributes and indexes. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { folder, vibe } from "./vibe.ts"

const one = "export const one = () => {\n  return 1\n}\n"

/** All by which git starts a program; `EVIL` is the path of that program. */
const settings = `
[core]
	fsmonitor = EVIL
	pager = EVIL
	editor = EVIL
	askPass = EVIL
	sshCommand = EVIL
	gitProxy = EVIL
	alternateRefsCommand = EVIL
	hooksPath = hooks
	attributesFile = ATTRIBUTES
	checkStat = minimal
	trustctime = false
[filter "evil"]
	clean = EVIL clean
	smudge = EVIL smudge
	required = true
[filter "lfs"]
	process = EVIL lfs
	required = true
[filter "a=b.c d"]
	process = EVIL process
[diff]
	external = EVIL
	tool = evil
[diff "evil"]
	command = EVIL
	textconv = EVIL
	cachetextconv = true
[difftool "evil"]
	cmd = EVIL
[merge "evil"]
	driver = EVIL
[mergetool "evil"]
	cmd = EVIL
[pager]
	diff-index = EVIL
	ls-files = EVIL
	cat-file = EVIL
	config = EVIL
	rev-list = EVIL
	diff-tree = EVIL
[alias]
	rev-parse = !EVIL
	diff-index = !EVIL
	ls-files = !EVIL
	cat-file = !EVIL
	rev-list = !EVIL
	diff-tree = !EVIL
[credential]
	helper = !EVIL
[gpg]
	program = EVIL
[gpg "ssh"]
	program = EVIL
[log]
	showSignature = true
[interactive]
	diffFilter = EVIL
[sequence]
	editor = EVIL
[trailer "evil"]
	command = EVIL
[uploadpack]
	packObjectsHook = EVIL
[gc]
	recentObjectsHook = EVIL
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::EVIL
	uploadpack = EVIL
	promisor = true
	partialclonefilter = blob:none
[remote "other"]
	url = here
	vcs = evil
[branch "main"]
	remote = origin
	merge = refs/heads/main
[submodule]
	recurse = true
[submodule "module"]
	update = !EVIL
[diff]
	submodule = log
	ignoreSubmodules = none
[status]
	submoduleSummary = true
[include]
	path = included
[includeIf "gitdir:**"]
	path = included
[extensions]
	worktreeConfig = true
`

const included = '[core]\n\tfsmonitor = EVIL\n[filter "included"]\n\tclean = EVIL\n'

/** What the files of an index are to git. */
export const indexes = {
  /** As written within a second. */
  fresh: () => undefined,
  /** Each file is as old as the index says, and the index is older: git cannot tell that none has changed. */
  crafted: (root: string, git: (...args: ReadonlyArray<string>) => string) => {
    for (const name of ["a.ts", "b.ts", "module/inner.ts"]) {
      const day = new Date("2020-01-02T00:00:00Z")
      fs.utimesSync(path.join(root, name), day, day)
    }
    git("update-index", "-q", "--refresh")
    git("-C", "module", "update-index", "-q", "--refresh")
    const before = new Date("2020-01-01T00:00:00Z")
    for (const name of [".git/index", ".git/modules/module/index"]) {
      fs.utimesSync(path.join(root, name), before, before)
    }
  },
  /** Files have other times than the index says. */
  outdated: (root: string) => {
    for (const name of ["a.ts", "b.ts", "module/inner.ts"]) fs.utimesSync(path.join(root, name), 1, 1)
  },
} as const

/** A repository with a submodule; `trace` has a line for each program that was started by a setting. */
export const hostile = Effect.fnUntraced(function* (index: keyof typeof indexes) {
  const home = yield* folder()
  const inner = yield* GitRepository.make(path.join(fs.mkdirSync(path.join(home, "inner"), { recursive: true }) ?? ""))
  inner.commit({ "inner.ts": one })
  const root = path.join(home, "outer")
  fs.mkdirSync(root)
  const { commit, git } = yield* GitRepository.make(root)
  commit({ "b.ts": one.replaceAll("one", "other"), ".gitattributes": "* filter=evil diff=evil merge=evil\n" })
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "module")
  const purpose = {
    path: "a.ts",
    symbol: "one",
    kind: "function",
    hash: "h",
    purpose: "Counts.",
    model: "m/n",
    node: "n",
  }
  commit({ ".vibe/purposes.jsonl": `${JSON.stringify(purpose)}\n` })
  commit({ "a.ts": one, "lfs.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" })
  yield* vibe(["index", "."], { cwd: root })

  const trace = path.join(home, "trace")
  const evil = path.join(home, "evil")
  fs.writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat\n`, { mode: 0o755 })
  const attributes = path.join(home, "attributes")
  fs.writeFileSync(attributes, "*.ts filter=included\n")
  indexes[index](root, git)
  for (const git of [".git", ".git/modules/module"].map((name) => path.join(root, name))) {
    const replaced = (text: string) => text.replaceAll("EVIL", evil).replaceAll("ATTRIBUTES", attributes)
    fs.appendFileSync(path.join(git, "config"), replaced(settings))
    fs.writeFileSync(path.join(git, "included"), replaced(included))
    fs.writeFileSync(path.join(git, "config.worktree"), replaced(included))
    fs.mkdirSync(path.join(git, "info"), { recursive: true })
    fs.writeFileSync(path.join(git, "info/attributes"), '* filter=evil\n*.bin filter=lfs\nb.ts "filter=a=b.c d"\n')
    fs.mkdirSync(path.join(git, "hooks"), { recursive: true })
    for (const hook of [
      "post-index-change",
      "post-checkout",
      "reference-transaction",
      "pre-auto-gc",
      "fsmonitor-watchman",
    ]) {
      fs.copyFileSync(evil, path.join(git, "hooks", hook))
    }
  }
  // A sparse checkout makes commands that only read the index run git.
  fs.writeFileSync(path.join(root, ".git/info/sparse-checkout"), "/*\n")
  return { home, root, trace }
})

export const started = (trace: string): string => (fs.existsSync(trace) ? fs.readFileSync(trace, "utf8") : "")
