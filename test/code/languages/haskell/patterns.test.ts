import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const text = `module A where
-- | Keeps things.
data Tree a = Leaf | Node { left', right' :: Tree a, size :: Int } | Other !Int
  deriving (Show)
newtype Parser a = Parser { runParser :: String -> Maybe a }
data Expr a where
  IntE  :: Int -> Expr Int
  BoolE :: Bool -> Expr Bool
instance Show (Tree a) where
  show Leaf = "x"
  show _ = "y"
instance (Eq a) => Monad Parser where
  -- | Binds.
  p >>= f = go p
    where go = 1
  return x = Parser (const x)
instance Empty Int
-- | Folds.
foldl' :: (a -> b) -> b
foldl' f z' 'x' = f z'
-- | Applies.
(<+>) :: a -> a -> a
x <+> y = x
-- | Twice.
infixl 5 <++>
(<++>) a b = a
after x = 1
`

withSymbols("Haskell", (it) => {
  it.effect("has constructors, fields, members of instances, names with primes, and operators with comments", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.hs", text)
      assert.deepStrictEqual(rows(outline), [
        "+ class Tree 3-4",
        "+ field Tree.Leaf 3-3",
        "+ field Tree.Node 3-3",
        "+ field Tree.left' 3-3",
        "+ field Tree.size 3-3",
        "+ field Tree.Other 3-3",
        "+ class Parser 5-5",
        "+ field Parser.runParser 5-5",
        "+ class Expr 6-8",
        "+ field Expr.IntE 7-7",
        "+ field Expr.BoolE 8-8",
        "+ method Tree.show 10-11",
        "+ method Parser.(>>=) 14-15",
        "+ method Parser.return 16-16",
        "+ function foldl' 19-20",
        "+ function (<+>) 22-23",
        "+ function (<++>) 26-26",
        "+ function after 27-27",
      ])
      assert.strictEqual(signatures(outline)["Tree.show"], 'instance Show (Tree a): show Leaf = "x"')
      assert.deepStrictEqual(docs(outline), {
        Tree: "Keeps things.",
        "Parser.(>>=)": "Binds.",
        "foldl'": "Folds.",
        "(<+>)": "Applies.",
      })
    }),
  )
})
