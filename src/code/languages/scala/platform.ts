/** Names of Scala's own library, and those of cats and Slick that lead from a collection to its elements. */

const named = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Types and objects that every file sees, and such names of libraries that a project has no other meaning for. */
export const platformTypes = named(
  "Any AnyRef AnyVal App Array ArrayBuffer BigDecimal BigInt Boolean Byte Char CharSequence Class ClassCastException ClassTag Comparable Console Double Either Enum Equals Error Exception Float Function Function0 Function1 Function2 Function3 IllegalArgumentException IllegalStateException IndexedSeq IndexOutOfBoundsException Int Integer Iterable IterableOnce Iterator LazyList Left List Long Map Math Nil None NoSuchElementException Nothing Null NullPointerException Number NumberFormatException Numeric Object Option Ordering PartialFunction Predef Product Range Right RuntimeException Runnable Seq Serializable Set Short Singleton Some Stream String StringBuilder StringContext Symbol System TableQuery Thread Throwable Traversable Tuple2 Tuple3 Unit UnsupportedOperationException Vector",
)

/** Types whose only type argument is what they hold. */
export const collections = named(
  "Array ArrayBuffer Buffer Future IndexedSeq IO Iterable IterableOnce Iterator LazyList List ListBuffer NonEmptyChain NonEmptyList NonEmptySet NonEmptyVector Option Queue Seq Set Some SortedSet Stream TableQuery Traversable Try Vector",
)

/** Functions that every file sees. */
export const platformFunctions = named(
  "assert assume classOf identity implicitly locally print printf println require summon valueOf ???",
)

/** Functions of collections that give their elements to a function. */
export const elementFunctions = named(
  "collect count distinctBy dropWhile exists filter filterNot find flatMap flatTap foreach forall groupBy groupMap indexWhere map mapFilter maxBy minBy partition sortBy span sumBy takeWhile tap traverse traverse_ withFilter",
)

/** Functions of collections that return an element. */
export const elementResults = named("get getOrElse head last max maxBy min minBy next")

/** Functions of collections that return one with the same elements. */
export const listResults = named(
  "distinct distinctBy drop dropRight dropWhile filter filterNot find headOption init lastOption orElse reverse sortBy sortWith sorted tail take takeRight takeWhile toList toOption toSeq toSet toVector withFilter",
)

/** Names of members that many types of libraries have. */
export const memberNames = named(
  "_1 _2 add addString andThen append apply asInstanceOf build canEqual clone close collect compare compareTo compose concat contains copy count create delete drop dropWhile empty endsWith equals error exists filter filterNot find first flatMap flatten fold foldLeft foldRight forall foreach format get getClass getOrElse group groupBy hash hashCode head headOption id indexOf init insert isDefined isEmpty isInstanceOf iterator join key keys last lastOption left length lift list map max message min mkString name next nonEmpty orElse parse path print put read reduce remove replace reverse right run send set size slice sort sortBy sorted span split splitAt start startsWith stop sum tail take takeWhile text toArray toByteArray toDouble toInt toList toLong toMap toOption toSeq toSet toString toVector trim unapply update updated url value values withFilter write zip zipWithIndex",
)
