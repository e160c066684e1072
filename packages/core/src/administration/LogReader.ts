/** Shows an organization's admins who changed what, and what they were told. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { kindsForAdmins, Notices } from "../notice/Notices.ts"
import { type AdministrationEntry, AdministrationLog } from "./AdministrationLog.ts"
import { entriesAPage, type ListAdministration, type ListNotices } from "./LogOperations.ts"

/** So many notices are shown. */
const noticesShown = 100

/** Which of the operator's people it was, is the operator's to know. */
const told = (entry: AdministrationEntry): AdministrationEntry =>
  entry.actor.kind === "operator" ? { ...entry, actor: { kind: "operator", id: null, name: null } } : entry

export const make = Effect.gen(function*() {
  const log = yield* AdministrationLog
  const notices = yield* Notices

  const list: HandlerOf<typeof ListAdministration> = Effect.fn("LogReader.list")(function*({ cursor }) {
    const { organization } = yield* Caller
    const found = yield* log.list({
      orgId: organization.org_id,
      after: cursor?.toLowerCase() ?? null,
      limit: entriesAPage + 1
    })
    const entries = found.slice(0, entriesAPage)
    return {
      entries: entries.map(told),
      next_cursor: found.length > entriesAPage ? entries.at(-1)?.id ?? null : null
    }
  })

  const noticed: HandlerOf<typeof ListNotices> = Effect.fn("LogReader.noticed")(function*() {
    const { organization } = yield* Caller
    const found = yield* notices.list({
      orgId: organization.org_id,
      kinds: kindsForAdmins,
      limit: noticesShown,
      offset: 0
    })
    return {
      notices: found.notices.map(({ createdAt, id, kind, text }) => ({ id, kind, text, created_at: createdAt })),
      total: found.total
    }
  })

  return { list, noticed }
})
