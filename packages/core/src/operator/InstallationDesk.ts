/** Tells the operator how the installation stands, what customers ask for, and what was done; closes requests. */
import { Clock, Effect, Option, Semaphore } from "effect"
import { Operator, type OperatorHandlerOf } from "../access/Operator.ts"
import { OperatorLog } from "../administration/OperatorLog.ts"
import { Auditor } from "../credit/Auditor.ts"
import * as KnownCounties from "../lookup/KnownCounties.ts"
import { Notices } from "../notice/Notices.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { type OperatorRequest, OperatorRequests } from "../request/OperatorRequests.ts"
import { Installation } from "./Installation.ts"
import {
  AlreadyRunning,
  type CloseRequest,
  entriesAPage,
  type GetHealth,
  type GetOperatorSession,
  type ListKnownCounties,
  type ListOperatorLog,
  type ListRequests,
  requestsAPage,
  type RunAudit
} from "./InstallationOperations.ts"
import { closedNoted } from "./OperatorNote.ts"
import * as OperatorWork from "./OperatorWork.ts"

const noticesShown = 20

const viewOf = (request: OperatorRequest) => ({
  id: request.id,
  org_id: request.orgId,
  kind: request.kind,
  status: request.status,
  subject: request.subject,
  message: request.message,
  county_fips: request.countyFips,
  actor: request.actor,
  created_at: request.createdAt,
  closed_at: request.closedAt,
  answer: request.answer
})

export const make = Effect.gen(function*() {
  const installation = yield* Installation
  const notices = yield* Notices
  const auditor = yield* Auditor
  const requests = yield* OperatorRequests
  const log = yield* OperatorLog
  const known = yield* KnownCounties.make
  const { act } = yield* OperatorWork.make
  const examining = yield* Semaphore.make(1)
  const auditing = yield* Semaphore.make(1)

  const session: OperatorHandlerOf<typeof GetOperatorSession> = Effect.fn("InstallationDesk.session")(function*() {
    const { expiresAt, name } = yield* Operator
    return { name, expires_at: expiresAt }
  })

  const health: OperatorHandlerOf<typeof GetHealth> = Effect.fn("InstallationDesk.health")(function*() {
    const told = yield* notices.list({ orgId: null, limit: noticesShown, offset: 0 })
    return {
      findings: yield* examining.withPermits(1)(installation.findings),
      work: yield* installation.work,
      notices: told.notices.map(({ createdAt, id, mail, orgId, text }) => ({
        id,
        org_id: orgId,
        text,
        mail,
        created_at: createdAt
      }))
    }
  })

  const audit: OperatorHandlerOf<typeof RunAudit> = Effect.fn("InstallationDesk.audit")(function*() {
    const laws = yield* auditing.withPermitsIfAvailable(1)(auditor.audit)
    if (Option.isNone(laws)) return yield* new AlreadyRunning()
    return {
      laws: laws.value.map(({ count, law, title, violations }) => ({
        law,
        title,
        count,
        violations: violations.map(({ fault, orgId, record }) => ({ org_id: orgId, record, fault }))
      }))
    }
  })

  const counties: OperatorHandlerOf<typeof ListKnownCounties> = Effect.fn("InstallationDesk.counties")(function*() {
    const named = (yield* known).map((county) => ({ fips: county.countyFips, label: KnownCounties.labelOf(county) }))
    return { counties: named }
  })

  const asked: OperatorHandlerOf<typeof ListRequests> = Effect.fn("InstallationDesk.asked")(
    function*({ offset = 0, org_id: orgId = null, status = null }) {
      const found = yield* requests.list({ orgId, status, limit: requestsAPage, offset })
      return { items: found.requests.map(viewOf), total: found.total }
    }
  )

  const close: OperatorHandlerOf<typeof CloseRequest> = Effect.fn("InstallationDesk.close")(
    ({ answer = null, id, reason }) =>
      act(
        reason,
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const closed = yield* Effect.catchTag(
            requests.close(id.toLowerCase(), now, answer),
            "ClosedBefore",
            ({ message }) => Effect.fail(invalid(null, message))
          )
          if (Option.isNone(closed)) return yield* invalid("id", "There is no such request")
          return [viewOf(closed.value), closedNoted(closed.value)] as const
        })
      )
  )

  const entries: OperatorHandlerOf<typeof ListOperatorLog> = Effect.fn("InstallationDesk.entries")(
    function*({ cursor, org_id: orgId }) {
      const found = yield* log.list({
        ...orgId === undefined ? {} : { orgId },
        after: cursor?.toLowerCase() ?? null,
        limit: entriesAPage + 1
      })
      const entries = found.slice(0, entriesAPage)
      return { entries, next_cursor: found.length > entriesAPage ? entries.at(-1)?.id ?? null : null }
    }
  )

  return { session, health, audit, counties, asked, close, entries }
})
