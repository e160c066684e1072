/**
 * Which properties the page of a search by text has, and what they are sorted by.
 *
 * A search by text stops when its page is full. Where hardly any row matches, a word finds them by its trigrams, one of two
 * letters by those that begin with it. Common words are found by walking an index in the order, or, where none has it, among
 * the first of the order.
 */
import { isBeyondAscii, withoutAccents } from "@freehold/core/operation/Accents"
import type { TextSearch } from "@freehold/core/property/PropertySearch"
import { alsoSpelled } from "@freehold/core/property/SearchWords"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import * as AccentFunctions from "../database/AccentFunctions.ts"
import { containing } from "../database/StorableText.ts"
import * as Trigrams from "../database/Trigrams.ts"
import { isWalked, onward, orderBy, sortExpression } from "./SearchPosition.ts"

type Fragment = Statement.Fragment

/** What a text has to say. */
type Said = Pick<TextSearch, "words" | "spellings" | "anyAccents" | "withNames">

/** How many more bytes than characters the text has. */
const beyondAscii = AccentFunctions.beyondAscii("p.search_text_with_name")

/** Of so many properties it is told whether words are common. */
const sampled = 1000

/** Where one in so many has the words, a page is full before much of an index was walked. */
const oneInWalked = 100

/** Where one in so many has them, of so many for each of the page enough have. */
const oneInFirst = 10
const firstOfEach = 25

export const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql)
  const live = sql.literal("p.retired_into IS NULL")

  /** The names come last in the text that is looked at, so a word before a line's end is none of them. */
  const patternOf = (word: string, withNames: boolean): string => `${containing(word)}${withNames ? "" : "\n%"}`

  /** Whether one of the spellings is a word of the address, the first line of the text. */
  const spells = (spellings: ReadonlyArray<string>): Fragment =>
    sql`' ' || translate(split_part(p.search_text_with_name, ${"\n"}, 1), '.,#', '   ') || ' ' COLLATE "C" LIKE ANY(${
      spellings.map((word) => `% ${word} %`)
    }::text[])`

  /** In any accents nothing is found where there are none: of words in ASCII only texts beyond it are looked at, of which an index has all. */
  const isAmongBeyond = ({ anyAccents, words }: Said): boolean => anyAccents === true && !words.some(isBeyondAscii)
  const beyond = sql.literal(`${beyondAscii} > 0`)
  const amongBeyond = (said: Said): ReadonlyArray<Fragment> => isAmongBeyond(said) ? [beyond] : []

  /** Whether the text is like the pattern of the word, compared in that collation; in any accents those beyond ASCII without theirs. */
  const isLike = (word: string, said: Said, collation = ""): Fragment => {
    const collated = sql.literal(collation)
    const asked = said.anyAccents === true ? withoutAccents(word) : word
    const pattern = patternOf(asked, said.withNames)
    const asWritten = sql`p.search_text_with_name ${collated} LIKE ${pattern}`
    const plain = sql`without_accents(p.search_text_with_name) ${collated} LIKE ${pattern}`
    const is = said.anyAccents !== true
      ? asWritten
      : isAmongBeyond(said)
      ? plain
      : sql`(${asWritten} OR ${beyond} AND ${plain})`
    return Trigrams.amongBeyond(sql, is, asked, beyondAscii)
  }

  /** Compared in another collation than those of the indexes of trigrams, so that they are not asked. */
  const compares = (word: string, said: Said): Fragment => isLike(word, said, `COLLATE "C"`)

  /** The same, or one of its spellings is there. */
  const comparesSpelled = (word: string, said: Said): Fragment => {
    const spelled = alsoSpelled(word, said.words)
    const compared = compares(word, said)
    return spelled.length === 0 ? compared : sql`(${compared} OR ${spells(spelled)})`
  }

  /** What has no trigram is compared alone: the index of trigrams would answer with every row. */
  const holds = (word: string, said: Said): Fragment => {
    if (Trigrams.has(said.anyAccents === true ? withoutAccents(word) : word)) return isLike(word, said)
    return said.anyAccents !== true && Trigrams.isRarePair(word) && alsoSpelled(word, said.words).length === 0
      ? sql.and([compares(word, said), Trigrams.mayHoldPair(sql, ["p.search_text_with_name"], word, beyondAscii)])
      : comparesSpelled(word, said)
  }

  /** The spellings, compared after the first of the words: by the planner's costs they would come before it, and they cost much more. */
  const spellsAll = (said: Said): ReadonlyArray<Fragment> => {
    const [first] = said.words
    const spelled = said.spellings.map(spells)
    return first === undefined || spelled.length === 0
      ? spelled
      : [sql`CASE WHEN ${compares(first, said)} THEN ${sql.and(spelled)} ELSE false END`]
  }

  const saying = (said: Said & Pick<TextSearch, "viewer">): Fragment =>
    sql.and([
      live,
      inArea(said.viewer.visible),
      ...amongBeyond(said),
      ...said.words.map((word) => holds(word, said)),
      ...spellsAll(said)
    ])

  /** Of a property that is read anyway. */
  const says = (said: Said): Fragment =>
    sql.and([...amongBeyond(said), ...said.words.map((word) => comparesSpelled(word, said)), ...spellsAll(said)])

  /** Whether of some properties one in so many says it. Ids tell nothing of texts, so that the first of them are any. */
  const isCommon = (search: TextSearch, oneIn: number): Fragment =>
    sql`common AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE ${says(search)}) * ${oneIn}::int >= count(*) AS is_common
      FROM (SELECT p.search_text_with_name FROM property p WHERE ${live} ORDER BY p.id LIMIT ${sampled}::int) AS p
    )`

  /** The ids of a page by text, and what they are sorted by, if it is asked for. */
  const pageOfAll = (search: TextSearch, isAsked: Fragment): Fragment => {
    const { after, limit, sort } = search
    return sql`SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
      WHERE ${sql.and([isAsked, saying(search), ...onward(sql, sort, after)])}
      ORDER BY ${sql.literal(orderBy(sort, sortExpression(sort), "p.id"))} LIMIT ${limit + 1}::int`
  }

  /**
   * The same where an index has the order, without the text. Common words are found by walking it. To walk all of it with its table, for words
   * that hardly a text has together, costs more than any other way: those are found first, and put in order.
   */
  const pageWalked = (search: TextSearch): Fragment => {
    const { after, limit, sort } = search
    return sql`
      WITH ${isCommon(search, oneInWalked)}
      (${pageOfAll(search, sql.literal("(SELECT is_common FROM common)"))})
      UNION ALL (
        SELECT id, sort_value FROM (
          SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
          WHERE ${
      sql.and([sql.literal("NOT (SELECT is_common FROM common)"), saying(search), ...onward(sql, sort, after)])
    } OFFSET 0
        ) AS found
        ORDER BY ${sql.literal(orderBy(sort, "sort_value", "id"))} LIMIT ${limit + 1}::int
      )`
  }

  /**
   * The same where no index has the order. To look at the text of every property, which stands far back in the table, costs more than to put all
   * of them in order from an index. So of common words the first of the order are looked at, and most often the page is among them; where
   * it is not, all are looked at.
   */
  const pageAmongFirst = (search: TextSearch): Fragment => {
    const { after, limit, sort, viewer } = search
    const first = firstOfEach * (limit + 1)
    const order = (value: string, id: string) => sql.literal(orderBy(sort, value, id))
    const isTold = sql.literal("(SELECT is_told FROM told)")
    return sql`
      WITH ${isCommon(search, oneInFirst)},
      first AS MATERIALIZED (
        SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
        WHERE ${
      sql.and([
        sql.literal("(SELECT is_common FROM common)"),
        live,
        inArea(viewer.visible),
        ...onward(sql, sort, after)
      ])
    }
        ORDER BY ${order(sortExpression(sort), "p.id")} LIMIT ${first}::int
      ),
      hit AS MATERIALIZED (
        SELECT first.id, first.sort_value FROM first JOIN property p USING (id)
        WHERE ${says(search)}
        ORDER BY ${order("first.sort_value", "first.id")} LIMIT ${limit + 1}::int
      ),
      told AS MATERIALIZED (
        SELECT is_common AND ((SELECT count(*) FROM hit) > ${limit}::int OR (SELECT count(*) FROM first) < ${first}::int) AS is_told
        FROM common
      )
      SELECT id, sort_value FROM hit WHERE ${isTold}
      UNION ALL (${pageOfAll(search, sql`NOT ${isTold}`)})`
  }

  const pageByText = (asked: TextSearch): Fragment => {
    // Compared in this order, so that most texts are done with after one or two of many words.
    const search = { ...asked, words: asked.words.toSorted(Trigrams.byRarity) }
    return search.sort.column === "contactCount"
      ? pageOfAll(search, sql.literal("true"))
      : isWalked(search.sort)
      ? pageWalked(search)
      : pageAmongFirst(search)
  }

  return { pageByText, saying }
}
