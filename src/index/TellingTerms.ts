/**
 * Finds what a sentence about a symbol says beyond its qualified name, its signature and the path of its file. Pure.
 */
import * as Tokenizer from "../search/Tokenizer.ts"

export interface Subject {
  readonly qualifiedName: string
  readonly signature: string
  readonly path: string
}

/**
 * The terms of a text, each once, that are neither in the symbol's name, container or signature, nor in a sentence
 * about anything. `where` says whether terms of its path are left out too.
 */
export const tellingTerms = (
  subject: Subject,
  text: string,
  where: "also in its path" | "apart from its path",
): ReadonlyArray<string> => {
  const isSeen = seenIn(subject, where === "apart from its path" ? subject.path : "")
  return ownTerms(text).filter((term) => !isSeen(term))
}

/** Returns a test for telling terms of a text. Terms of the path do not count. */
export const isTellingFor = (subject: Subject): ((term: string) => boolean) => {
  const isSeen = seenIn(subject, subject.path)
  return (term) => !isGeneral(term) && !isSeen(term)
}

/** Returns the terms of a text that do not fit any symbol, each once. */
export const ownTerms = (text: string): ReadonlyArray<string> =>
  Array.from(new Set(Tokenizer.partTerms(text))).filter((term) => !isGeneral(term))

/**
 * The terms of a text that say something about a symbol, and not only about code in general: neither general nor vague.
 * Each occurs once.
 */
export const specificTerms = (text: string): ReadonlyArray<string> =>
  ownTerms(text).filter((term) => !vague().has(term))

/** Returns whether a text repeats a word of the name of its symbol, or one of its container that is not vague. */
export const echoesName = (name: string, container: string, text: string): boolean =>
  ownTerms(text).some(namedIn(name)) || specificTerms(text).some(namedIn(container))

const seenIn = ({ qualifiedName, signature }: Subject, path: string): ((term: string) => boolean) => {
  const isNamed = namedIn(qualifiedName)
  let text: string | undefined
  return (term) => {
    if (isNamed(term)) return true
    // Most terms of most texts are decided by the name; a signature can be long.
    text ??= `${signature} ${path}`.toLowerCase()
    return isIn(text, term)
  }
}

/**
 * Returns whether a term is a word of a name, in another inflection, abbreviated (`init`), written together, or as a
 * synonym.
 */
const namedIn = (name: string): ((term: string) => boolean) => {
  const words = Tokenizer.parts(name)
  const joined = words.join("")
  let groups: ReadonlySet<number> | undefined
  return (term) => {
    if (term.length > 2 ? joined.includes(rootOf(term)) : words.includes(term)) return true
    if (words.some((word) => word.length > 2 && term.startsWith(word))) return true
    const group = groupOf().get(term)
    if (group === undefined) return false
    groups ??= new Set(Tokenizer.partTerms(name).flatMap((word) => groupOf().get(word) ?? []))
    return groups.has(group)
  }
}

/** A part of a word counts if it is long: `path` in `filepath`, but not `id` in `width`. */
const isIn = (text: string, term: string): boolean =>
  term.length > 3
    ? text.includes(rootOf(term))
    : text.includes(term) && new RegExp(`(?<![a-z])${term}(?![a-z])`).test(text)

/** The beginning of a term in all inflections: the stem of `copy` is `copi`. */
const rootOf = (term: string): string => (term.length > 3 && term.endsWith("i") ? term.slice(0, -1) : term)

/** Builds a value when it is first used, since most commands check nothing. */
const lazily = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}

const isGeneral = (term: string): boolean => general().has(term) || !/[^\W\d_]{2}|[^\0-\x7f]/.test(term)

/** Words that fit any symbol of any program. */
const general = lazily(
  () =>
    new Set(
      Tokenizer.partTerms(
        "handle process manage manager perform execute operation operate act action activity task job thing item entity unit " +
          "data information info value object instance class function func method struct enum module library package code codebase program " +
          "software system application component part piece member resource stuff element map list array " +
          "utility util helper help tool routine procedure logic business implementation implement functionality functional " +
          "feature purpose behaviour behavior concern aspect " +
          "main primary core central important basic general generic common simple specific particular certain various " +
          "different multiple several many other another additional relevant related appropriate corresponding necessary useful " +
          "needed need required require given provided incoming outgoing together " +
          "say hold keep store later further lifecycle caller place provide support enable allow ensure maintain represent define describe contain include encapsulate wrap abstract " +
          "abstraction facilitate coordinate serve deal produce declare specify specified involve concern " +
          "input output result return argument parameter attribute property field variable constant const type state " +
          "create make build construct constructor initialize initialise set get getter setter give take obtain retrieve add work run do call invoke " +
          "named name internal internally external overall throughout elsewhere rest environment context project " +
          "responsible responsibility role interact entry point check condition boolean true false whether determine decide based " +
          "according current new whole entire single one two first second way case just simply only same own interface",
      ),
    ),
)

/** Words that say something beside others, and nothing if there are no others. */
const vague = lazily(
  () =>
    new Set(
      Tokenizer.partTerms(
        "everything anything something nothing somehow someone everywhere somewhere others " +
          "proper properly care detail easy easier easily ease step outcome file actual actually public private api magic happen " +
          "big small large little building block foundation architecture architectural infrastructure configuration configure settings convenient " +
          "convenience underlying algorithm mean meant direct directly indirectly sure valid validation validate validity before after " +
          "go going goes connect connection depend dependent dependency delegate delegation pass callback right correct correctly update " +
          "change modify modification structure structural accordingly default subclass superclass base override variant variation " +
          "group grouping calculate calculation compute computation next previous last situation start stop begin end finish organise organize organised organized " +
          "maintainable maintainability option optional error exception failure fail improve improvement usability usable reusable reuse " +
          "nice good better best great well clean cleanly robust flexible flexibility efficient efficiently efficiency fast quick quickly safe safely safely reliable " +
          "powerful essential crucial critical vital significant key interesting complex complexity complicated " +
          "like kind sort still even already always never often sometimes usually typically mostly mainly primarily especially " +
          "make makes making turn back forth around across along again away away out off into onto upon inside outside behind " +
          "because since although however therefore thus hence unless until during every either neither both " +
          "ready usage user developer client consumer people code base place part job role duty goal aim target intention intent " +
          "side level layer low high higher lower top bottom deep underneath hood scene background " +
          "control controller service provider helper orchestrate orchestration govern oversee supervise flow workflow " +
          "expect expected desired wanted want like wish ask find found look see show know known unknown understand " +
          "prepare preparation setup clean cleanup teardown read write load save store storage access accessor expose exposed exposing hide " +
          "result effect side consequence response answer reply collection list array set sequence series number amount count bunch lot " +
          "extend extension extensible inherit inheritance derive derived subclass concrete instance instantiate pattern design " +
          "communicate communication integrate integration glue bridge bind binding link together combine combination collaborate " +
          "logic rule convention standard common custom customise customize customization wide whole broad global local shared share " +
          "apply application applied execution executed execute execution processing processed processor runtime time moment stage phase " +
          "represent representation model modelled manipulate manipulation transform transformation convert conversion " +
          "exist existing available availability present presence appropriate suitable fit fitting meaningful meaning " +
          "abstract interface contract definition defined declare declaration " +
          "minor major extra special normal regular usual typical ordinary trivial straightforward simple simplify simplification " +
          "success successful successfully issue problem trouble concern solve resolve resolution " +
          "reason sense matter thing think thought idea concept conceptual notion " +
          "consistent consistency integrity quality performance test testing tested check checking " +
          "call called caller invocation invoke trigger function functional scope callable " +
          "avoid duplication duplicate bookkeeping order ordering edge behave shape form format readable readability testable otherwise " +
          "track long longer add addition boilerplate overhead plumbing machinery mechanism approach technique strategy manner fashion " +
          "nature essence heart backbone reduce prevent protect preserve guarantee promote encourage assist aid contribute offer deliver " +
          "supply equip treat address focus cover rely consume accept receive forward hand bring put carry drive involve compose " +
          "consist comprise made unify centralise centralize central isolate decouple modular separation dedicated designed intended tailored " +
          "versatile comprehensive seamless smooth smoothly intuitive elegant scalable modern advanced sophisticated scenario circumstance " +
          "criteria requirement kind variety occurrence initial initially initialization final finally finalize entirely completely fully partially partly possible " +
          "possibly impossible able capable capability ability allowed permitted active status mode dynamic dynamically automatic automatically manual " +
          "manually iterate iteration relationship relation related reference hierarchy engine framework toolkit category classification " +
          "correspondence matching actual real really truly certain certainly exactly precise precisely follow following proceed progress " +
          "satisfy fulfil fulfill meet achieve accomplish attain reach realize realise deal cope manage tackle complete completion " +
          "mind worry effort work working worker life live easy hard difficult difficulty hardly simple sake benefit advantage " +
          "logical logically physical virtual technical functional operational conditional optional optionally unique uniquely identify identification " +
          "combination piece bit part chunk portion section segment fragment area field domain " +
          "keep kept held stored saved taken given gotten got done doing did being become remain stay exist " +
          "tie tied report version pleasant gracefully graceful bundle raise wrong itself themselves heavy lifting must belong world lookup touch " +
          "else gather remain wait choose choice decision unify accessible scale grain sync optimise optimize version temporary normalise normalize",
      ),
    ),
)

/** Verbs with the same meaning for a symbol: the terms of each line. */
const groupOf = lazily(
  () =>
    new Map(
      [
        "remove delete drop erase discard",
        "join concatenate concat combine merge",
        "convert transform translate turn",
        "show display render print",
        "validate verify check",
        "find search look lookup locate",
        "fetch load read retrieve",
        "write save store persist",
        "start begin launch",
        "stop end finish terminate",
        "compute calculate calc",
        "change modify update alter",
        "compare equal",
        "test check",
        "send transmit dispatch",
        "parse parser",
        "emit fire trigger",
        "register subscribe",
        "count number",
        "error exception failure",
        "directory folder dir",
        "config configuration settings option",
      ].flatMap((line, group) => Tokenizer.partTerms(line).map((term) => [term, group] as const)),
    ),
)
