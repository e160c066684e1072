/** What the operator asks about the installation as a whole, and about what was done in it. */
import { Schema } from "effect"
import { EntryActor } from "../access/EntryActor.ts"
import { OperatorEntry } from "../administration/OperatorLog.ts"
import { MailState } from "../notice/Notices.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { RequestKind, RequestStatus } from "../request/OperatorRequests.ts"
import { Finding, WorkQueues } from "./Installation.ts"
import { access, ofOrganization, Reason } from "./OperatorOperation.ts"

/** The same is being done for somebody else at the moment. */
export class AlreadyRunning extends Schema.TaggedError<AlreadyRunning>()("ALREADY_RUNNING", {}) {
  override get message() {
    return "This is being done already, and one at a time is; ask again when it has ended."
  }
}

export const GetOperatorSession = Operation.make("operator_get_session", {
  title: "Who is signed in as the operator",
  description: "Free. What you are called in the log, and when your session ends.",
  input: NoInput,
  output: Schema.Struct({ name: Schema.String, expires_at: Schema.String }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const GetHealth = Operation.make("operator_get_health", {
  title: "Health",
  description: "Free. The checks of freehold doctor, the work that waits, and what the operator was told lately.",
  input: NoInput,
  output: Schema.Struct({
    findings: Schema.Array(Finding),
    work: WorkQueues,
    notices: Schema.Array(Schema.Struct({
      id: Schema.String,
      org_id: Schema.NullOr(Schema.String),
      text: Schema.String,
      mail: MailState,
      created_at: Schema.String
    }))
  }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

/** The laws over the whole database. */
export const RunAudit = Operation.make("operator_run_audit", {
  title: "Audit",
  description:
    "Free. Checks every law of credits, access, leads and deliveries over the whole database; one at a time.",
  input: NoInput,
  output: Schema.Struct({
    laws: Schema.Array(Schema.Struct({
      law: Schema.String,
      title: Schema.String,
      count: Schema.Int,
      violations: Schema.Array(Schema.Struct({
        org_id: Schema.NullOr(Schema.String),
        record: Schema.String,
        fault: Schema.String
      }))
    }))
  }),
  refusals: [AlreadyRunning],
  access,
  effect: "read",
  tool: false
})

/** What counties are called, wherever something names one by its code. */
export const ListKnownCounties = Operation.make("operator_list_counties", {
  title: "Counties",
  description: "Free. The counties that the service has records of, with their names.",
  input: NoInput,
  output: Schema.Struct({
    counties: Schema.Array(Schema.Struct({ fips: Schema.String, label: Schema.NullOr(Schema.String) }))
  }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

const AskedRequest = Schema.Struct({
  id: Schema.String,
  org_id: Schema.String,
  kind: RequestKind,
  status: RequestStatus,
  subject: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  county_fips: Schema.NullOr(Schema.Array(Schema.String)),
  actor: EntryActor,
  created_at: Schema.String,
  closed_at: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String)
})

export const requestsAPage = 50

export const ListRequests = Operation.make("operator_list_requests", {
  title: "What customers ask for",
  description: "Free. Requests for support and coverage of every organization, the newest first.",
  input: Schema.Struct({
    org_id: Schema.optionalKey(ofOrganization.org_id),
    status: Schema.optionalKey(RequestStatus),
    offset: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })))
  }),
  output: Schema.Struct({ items: Schema.Array(AskedRequest), total: Schema.Int }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

/** The longest answer. */
const longestAnswer = 5000

export const CloseRequest = Operation.make("operator_close_request", {
  title: "Answer a request",
  description: "Free. Closes a request, with an answer that its organization may read.",
  input: Schema.Struct({
    id: Uuid,
    answer: Schema.optionalKey(
      Schema.String.check(
        Schema.makeFilter((text: string) =>
          text.trim() !== "" && text.length <= longestAnswer || `Expected 1 to ${longestAnswer} characters`
        )
      )
    ),
    reason: Reason
  }),
  output: AskedRequest,
  refusals: [],
  access,
  effect: "write",
  tool: false
})

export const entriesAPage = 50

/** What the operator's people did, here and by commands. */
export const ListOperatorLog = Operation.make("operator_list_log", {
  title: "The log",
  description: "Free. Who of the operator's people did what, of one organization or of all, the newest first.",
  input: Schema.Struct({ org_id: Schema.optionalKey(ofOrganization.org_id), cursor: Schema.optionalKey(Uuid) }),
  output: Schema.Struct({ entries: Schema.Array(OperatorEntry), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})
