/** What an organization's admins can ask about who changed what, and what they were told. */
import { Schema } from "effect"
import { NoticeKind } from "../notice/Notices.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { AdministrationEntry } from "./AdministrationLog.ts"

export const entriesAPage = 50

/** The log of administration, newest first. */
export const ListAdministration = Operation.make("app_list_administration", {
  title: "The log of administration",
  description:
    "Free. Who changed what about keys, members, settings and endpoints, and what the operator did, the newest first.",
  input: Schema.Struct({ cursor: Schema.optionalKey(Uuid) }),
  output: Schema.Struct({ entries: Schema.Array(AdministrationEntry), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [InvalidCursor],
  access: { scope: null, plan: "team", app: "admins" },
  effect: "read",
  tool: false
})

/** What admins were told without having asked. */
export const ListNotices = Operation.make("app_list_notices", {
  title: "Notices",
  description: "Free. What the admins were told in the last 90 days, the newest first.",
  input: NoInput,
  output: Schema.Struct({
    notices: Schema.Array(Schema.Struct({
      id: Schema.String,
      kind: NoticeKind,
      text: Schema.String,
      created_at: Schema.String
    })),
    total: Schema.Int
  }),
  refusals: [],
  access: { scope: null, plan: "team", app: "admins" },
  effect: "read",
  tool: false
})
