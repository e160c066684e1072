/** A notice as a mail: what its subject is, and what it says. */
import type { DueMail } from "./NoticeMails.ts"
import type { NoticeKind } from "./Notices.ts"

const subjects: Readonly<Record<NoticeKind, string>> = {
  viewing_paused: "Property pages of a member are paused",
  endpoint_disabled: "A webhook endpoint was disabled",
  support_requested: "An organization asks for support",
  coverage_requested: "An organization asks for coverage",
  import_failed: "An import failed",
  source_asks: "A source waits for your leave",
  source_failed: "A source could not be synced",
  sign_in_unreachable: "People cannot sign in",
  resealing_failed: "Secrets could not be sealed anew"
}

/** What to do about it, for the operator. */
const remedies: Readonly<Record<NoticeKind, string>> = {
  viewing_paused: "freehold member list shows the members of an organization.",
  endpoint_disabled: "freehold webhook list shows its endpoints; freehold webhook enable switches one on again.",
  support_requested: "freehold request list shows it; freehold request close answers it.",
  coverage_requested: "freehold request list shows it; freehold request close answers it.",
  import_failed: "The operator's area of the app shows it under Imports.",
  source_asks: "freehold source show tells what it would do; freehold source sync --accept lets it.",
  source_failed: "freehold source show tells its runs.",
  sign_in_unreachable: "freehold doctor looks at the settings; the log says what went wrong.",
  resealing_failed: "freehold doctor tells what no key opens."
}

/** The subject and the text of a mail about a notice, to the operator or to an organization's admins. */
export const write = (
  { kind, orgId, text }: Pick<DueMail, "kind" | "orgId" | "text">,
  reader: "operator" | "admin",
  origin: string
): { readonly subject: string; readonly text: string } => {
  const lines = reader === "admin"
    ? [text, `You see this as an admin of your organization: ${origin}`]
    : [...orgId === null ? [text] : [`Organization ${orgId}. ${text}`], remedies[kind], `From ${origin}`]
  return { subject: `Freehold: ${subjects[kind]}`, text: `${lines.join("\n\n")}\n` }
}
