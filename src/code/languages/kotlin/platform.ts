/** Names that Kotlin itself has. */

const named = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Types that every file sees. */
export const platformTypes = named(
  "Any Array ArrayList Boolean BooleanArray Byte ByteArray Char CharArray CharSequence Collection Comparable Comparator Deprecated Double DoubleArray Enum Error Exception Float FloatArray Function HashMap HashSet IllegalArgumentException IllegalStateException IndexOutOfBoundsException Int IntArray Iterable Iterator JvmField JvmName JvmOverloads JvmStatic Lazy LinkedHashMap LinkedHashSet List Long LongArray Map MutableCollection MutableIterator MutableList MutableMap MutableSet Nothing NullPointerException Number NumberFormatException OptIn Override Pair Regex RuntimeException Sequence Set Short ShortArray String StringBuilder Suppress Throwable Throws Triple UByte UInt ULong UShort Unit UnsupportedOperationException Volatile",
)

/** Types whose type argument is what they hold. */
export const collections = named(
  "Array ArrayDeque ArrayList Collection HashSet Iterable Iterator LinkedHashSet List MutableCollection MutableIterable MutableIterator MutableList MutableSet Sequence Set",
)

/** Functions that every file sees. */
export const platformFunctions = named(
  "also apply arrayOf assert buildList buildString byteArrayOf check checkNotNull emptyList emptyMap emptySet error intArrayOf lazy let listOf listOfNotNull longArrayOf mapOf maxOf minOf mutableListOf mutableMapOf mutableSetOf println repeat require requireNotNull run runCatching sequence setOf synchronized takeIf takeUnless to with TODO",
)

/** Functions of collections that give their elements to a function. */
export const elementFunctions = named(
  "all any associateBy associateWith count distinctBy dropWhile filter filterNot find first firstOrNull flatMap forEach groupBy indexOfFirst last lastOrNull map mapNotNull maxByOrNull minByOrNull none onEach partition single singleOrNull sortedBy sortedByDescending sumOf takeWhile",
)

/** Names of members that many types of libraries have. */
export const memberNames = named(
  "add addAll append apply also cancel clear close compareTo contains containsKey copy count create delete equals execute filter find first flush forEach get hashCode hasNext indexOf insert invoke isEmpty iterator join last launch length let map minus name next open peek plus poll pop post push put read remove replace reset run save send set size sort split start stop submit substring take toByteArray toInt toList toLong toString update use value values with write",
)

/** Functions of collections that return an element. */
export const elementResults = named(
  "elementAt find first firstOrNull last lastOrNull maxBy maxByOrNull minBy minByOrNull random removeFirst removeLast single singleOrNull",
)

/** Functions of collections that return one with the same elements. */
export const listResults = named(
  "asSequence distinct distinctBy drop dropLast dropWhile filter filterNot filterNotNull onEach reversed shuffled sorted sortedBy sortedByDescending sortedWith take takeLast takeWhile toList toMutableList toMutableSet toSet",
)
