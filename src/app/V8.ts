/**
 * The settings of V8 in vibe's own process, for grammars and for memory. They hold for all of its threads. A program
 * that embeds the library keeps its own.
 */
import { setFlagsFromString } from "node:v8"
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads"
import type { RunParse } from "../code/Symbols/TreeSitter.ts"
import { hasMaglev } from "./Optimiser.ts"

/** Sets how V8 treats grammars and the memory of a refresh. Called before the first grammar loads. */
export const setForGrammars = (): void => {
  // V8 goes on optimising a grammar that is no longer needed, and delays the exit by up to 200 ms.
  setFlagsFromString("--wasm-tiering-budget=100000000")
  // The objects of a refresh are short-lived. A larger young generation saves 3 to 6 % of the time of a large refresh,
  // and takes 110 to 150 MB more.
  setFlagsFromString("--semi-space-growth-factor=1")
  // So a worker would stay at its first megabyte, and clean that up 1,600 times for 3,800 files. V8 reads this when a
  // thread starts, so the main thread stays as it is.
  setFlagsFromString(`--min-semi-space-size=${WORKER_SEMI_SPACE_MB}`)
  // V8 lets a heap of 90 MB grow to more than three times that before it collects garbage again, which is how the wiki
  // of a large project takes the most memory of a run. One or two collections more take 60 to 150 MB from that.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  if (hasMaglev()) setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_OPTIMISING}`)
}

/** The young generation with which a worker begins: its first batch of files fills one megabyte many times. */
const WORKER_SEMI_SPACE_MB = 4

/** The share by which a heap grows after a collection of garbage before V8 begins the next. */
const HEAP_GROWTH_PERCENT = 70

/**
 * The calls of a function of average length after which V8 optimises it fully, in threads of its own; its default is
 * 3,000. These threads take a quarter of the processor time of a first index, for functions that are needed for
 * seconds. With this they take a quarter less. What is called for every token is still optimised.
 */
const CALLS_BEFORE_OPTIMISING = 60_000

/**
 * Keeps the heap small, for a process that runs for days beside an editor: V8 collects garbage sooner, and gives memory
 * back. With 100,000 files `vibe watch` takes 120 MB; without this 190 at its start, and more after each edit. Called
 * before the first refresh.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString("--optimize-for-size")
  setFlagsFromString("--semi-space-growth-factor=1")
}

/**
 * The names of the grammars that are too large to optimise. Their lexers are single functions of 47,000 to
 * 160,000 bytes: V8 in Node 24 takes 100 to 800 MB and up to 0.8 s to optimise one, and it is a quarter faster at
 * the most. Over 11 MB of C++, C#, Ruby, Bash and CSS the process takes 720 MB if they are optimised and 270 if
 * not, for the same processor time.
 */
const largeGrammars: ReadonlySet<string> = new Set(["bash", "c-sharp", "cpp", "css", "ruby"])

/**
 * Parses without optimising the largest grammars. V8 decides on optimising a function while it runs, so the flags
 * are off for the time of a parse.
 */
export const runParse: RunParse = (grammar, parse) => {
  if (!largeGrammars.has(grammar)) return parse()
  Atomics.add(largeParses, 0, 1)
  allowOptimising(false)
  try {
    return parse()
  } finally {
    if (Atomics.sub(largeParses, 0, 1) === 1) allowOptimising(true)
  }
}

/**
 * How many threads parse with one of the largest grammars just now. The flags hold for all threads: if the one that
 * ends first turned them on again while another is within a parse, one in five first indexes of a project with much C
 * would take 750 MB in place of 430. A thread that is terminated within a parse leaves them off, which is slower but
 * safe.
 */
const largeParses = new Int32Array(sharedCounter())

function sharedCounter(): SharedArrayBuffer {
  const key = "vibe: parses with large grammars"
  const known = getEnvironmentData(key)
  if (known instanceof SharedArrayBuffer) return known
  const made = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  // Threads that are started later get it.
  setEnvironmentData(key, made)
  return made
}

// V8 does not say what the flags were; both are on by default.
const allowOptimising = (isAllowed: boolean): void => {
  for (const flag of ["wasm-tier-up", "wasm-dynamic-tiering"]) {
    setFlagsFromString(isAllowed ? `--${flag}` : `--no-${flag}`)
  }
}
