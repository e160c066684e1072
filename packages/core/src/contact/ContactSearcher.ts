/**
 * Finds people by name or employer, and browses them by what they do. Free; never an email, a phone or a profile.
 *
 * service-api "GET /contacts/search" and "POST /contacts/browse".
 */
import { Clock, Effect, Result } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { browseNotes } from "../coverage/BrowseNotes.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import * as AccentPages from "../operation/AccentPages.ts"
import * as Accents from "../operation/Accents.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import * as QueryWords from "../operation/QueryWords.ts"
import type { Organization } from "../organization/Organization.ts"
import { type BrowseContacts, ContactChangeKind, defaultFindLimit, type FindContacts } from "./ContactOperations.ts"
import { type ContactBrowse, ContactSearch, type ContactsFound, positionOf } from "./ContactSearch.ts"
import { browseRow, searchRow } from "./ContactView.ts"

/** "Query too common" starts here. decisions, section 20. */
const tooMany = 1000

type BrowseInput = (typeof BrowseContacts)["input"]["Type"]

/** Why an answer is empty. */
const notes: Readonly<Record<ContactsFound["_tag"], string | null>> = {
  Found: null,
  Nobody: "No contact matches this query.",
  Outside: "Matching contacts exist only outside your service area.",
  TooMany: "This query is too common; refine it with more of the name or employer."
}

const isNobody = ({ _tag }: ContactsFound): boolean => _tag === "Nobody" || _tag === "Outside"

/**
 * Why nobody is shown. Whoever has a territory of their own is not told that there is somebody beyond it: names could be found
 * out so letter by letter.
 */
const noteOf = ({ _tag }: ContactsFound, { territory }: CallerFacts): string | null =>
  notes[_tag === "Outside" && territory !== null ? "Nobody" : _tag]

const marketIssues = (input: BrowseInput): ReadonlyArray<InputIssue> => [
  ...input.marketCountyFips !== undefined && input.organizationId === undefined
    ? [{ field: "marketCountyFips", message: "Expected together with organizationId" }]
    : [],
  ...input.sort === "marketRank" && (input.organizationId === undefined || input.marketCountyFips === undefined)
    ? [{ field: "sort", message: "marketRank needs organizationId and marketCountyFips" }]
    : []
]

const changedOf = (
  input: BrowseInput,
  organization: Organization,
  now: number
): Result.Result<ContactBrowse["changed"], SignalsNotEnabled> => {
  const asked = (["changedKinds", "changedWithinDays"] as const).filter((key) => input[key] !== undefined)
  if (asked.length === 0) return Result.succeed(null)
  return organization.features.signals
    ? Result.succeed({
      kinds: input.changedKinds ?? ContactChangeKind.literals,
      since: input.changedWithinDays === undefined ? null : now - input.changedWithinDays * 86_400_000
    })
    : Result.fail(
      new SignalsNotEnabled({
        issues: asked.map((field) => ({ field, message: "Change filters are not switched on" }))
      })
    )
}

const fragment = (text: string | undefined): string | null => text === undefined ? null : BrowsePage.normalized(text)

export const make = Effect.gen(function*() {
  const search = yield* ContactSearch
  const cursors = yield* PageCursor.make(PageCursor.Place)

  const find: HandlerOf<typeof FindContacts> = Effect.fn("ContactSearcher.find")(function*(input) {
    const caller = yield* Caller
    yield* Territory.requireSome(caller)
    const text = BrowsePage.normalized(input.query)
    const look = (text: string, anyAccents: boolean, limit: number) =>
      search.find({ viewer: viewerOf(caller), text, anyAccents, limit, tooMany })
    const limit = input.limit ?? defaultFindLimit
    const written = yield* look(text, false, limit)
    const found = isNobody(written) && Accents.isTold(text) ? yield* look(text, true, limit) : written
    const words = isNobody(found)
      ? yield* QueryWords.matching(text, (word) => Effect.map(look(word, false, 1), (each) => !isNobody(each)))
      : []
    return {
      contacts: found._tag === "Found" ? found.rows.map(searchRow) : [],
      note: noteOf(found, caller),
      ...words.length === 0 ? {} : { matching_words: words }
    }
  })

  const browse: HandlerOf<typeof BrowseContacts> = Effect.fn("ContactSearcher.browse")(function*(input) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    yield* BrowsePage.oneWay(input)
    const issues = marketIssues(input)
    if (issues.length > 0) return yield* new InvalidInput({ issues })
    const changed = yield* Effect.fromResult(changedOf(input, caller.organization, now))
    const [titleText, employerText] = [fragment(input.titleText), fragment(input.employerText)]
    const texts = [titleText, employerText].filter((text) => text !== null)
    const question = BrowsePage.questionOf("contacts", caller.organization.org_id, input)
    const begun = yield* AccentPages.begin({ open: (of) => cursors.open(input.cursor, of), question, texts })
    yield* Territory.requireSome(caller)
    const sort = input.sort ?? "employerName"
    const limit = input.limit ?? BrowsePage.defaultLimit
    const { anyAccents, found } = yield* AccentPages.look(begun, texts, (anyAccents) =>
      search.browse({
        viewer: viewerOf(caller),
        roleType: input.roleType ?? null,
        titleText,
        employerText,
        anyAccents,
        countyFips: input.countyFips?.filter((fips) => Territory.sees(caller, fips)) ?? null,
        revealed: input.revealedState === undefined || input.revealedState === "any"
          ? null
          : input.revealedState === "revealed",
        firmId: input.organizationId?.toLowerCase() ?? null,
        market: input.marketCountyFips ?? null,
        changed,
        sort,
        after: begun.after,
        offset: input.offset ?? 0,
        limit: limit + 1
      }))
    const page = yield* cursors.page(found.rows, {
      limit,
      question: AccentPages.questionOf(question, anyAccents),
      position: positionOf(sort)
    })
    return {
      contacts: page.rows.map(browseRow),
      total_matching: found.total,
      next_cursor: page.next,
      ...noting(browseNotes(caller, input, { shown: page.rows.length, total: found.total }, "Nobody whom you see"))
    }
  })

  return { browse, find }
})
