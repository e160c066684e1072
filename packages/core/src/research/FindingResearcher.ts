/**
 * A researcher that finds something out by itself: it reads the records, the site of the firm and what sources brought of it,
 * has somebody propose what stands there, and tells what `Claims` lets pass.
 *
 * | action                | reads about                                          | may find                                |
 * | --------------------- | ---------------------------------------------------- | --------------------------------------- |
 * | research_property     | the firms that own and manage it                     | manager, owner behind the owner, people |
 * | research_organization | the firm                                             | people, the telephone number            |
 * | research_contact      | the person's firm                                    | title, email, telephone number          |
 * | find_email            | the person's firm                                    | the email                               |
 *
 * Everything else, and what was imported, is `ImportedResearcher`'s. Which sites are read follows from the records alone, and
 * each job asks the proposer once at most: nothing that stands on a page decides what is read, asked or paid.
 */
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import { type Claim, judge, type Page, type PersonClaim, type Topic } from "./Claims.ts"
import { FindingGround, type Ground, type GroundFirm } from "./FindingGround.ts"
import { deliveredOf, type MetPerson, newEmailOf } from "./FoundRows.ts"
import * as ImportedResearcher from "./ImportedResearcher.ts"
import { MailDomains } from "./MailDomains.ts"
import type { ProposalKind } from "./Proposal.ts"
import { Proposer } from "./Proposer.ts"
import type { IdOf } from "./ResearchAnswer.ts"
import { type Finding, Researcher } from "./Researcher.ts"
import type { ResearchAction, ResearchJob } from "./ResearchRun.ts"
import { SiteReader } from "./SiteReader.ts"

/** Of a job. */
const mostSites = 2

/** Characters that are shown to the proposer. */
const mostText = 48_000

/** Of the lease of a job; what was read until then is remembered, so that the next attempt gets further. */
const patience = Duration.seconds(100)

const kinds: Readonly<Record<ResearchAction, ReadonlyArray<ProposalKind>>> = {
  research_property: ["manager", "owner", "person"],
  research_organization: ["person", "firm"],
  research_contact: ["person"],
  find_email: ["person"],
  deep_research_contact: [],
  draft_email: []
}

const topicOf = ({ person, property }: Ground, action: ResearchAction): Topic => ({
  kinds: kinds[action],
  places: [property?.address, property?.commonName].flatMap((name) => name ?? []),
  owners: property?.owners ?? [],
  person: person?.fullName ?? null
})

const siteOf = ({ domain, websiteUrl }: GroundFirm): string | null => {
  const site = websiteUrl ?? domain
  return site === null || /^https?:\/\//i.test(site) ? site : `https://${site}`
}

/** The record of a source, as a page. */
const recordPage = ({ domain, id, name, phone, register, websiteUrl }: GroundFirm): ReadonlyArray<Page> =>
  register === null ? [] : [{
    address: register.address,
    readAt: register.readAt,
    text: [
      `${register.title} (${register.publisher})`,
      `Name: ${name}`,
      ...phone === null ? [] : [`Telephone: ${phone}`],
      ...websiteUrl === null ? [] : [`Website: ${websiteUrl}`]
    ].join("\n"),
    firmId: id,
    domain
  }]

/** The first pages that are so long together; the last one may be cut. */
const within = (pages: ReadonlyArray<Page>, most: number): ReadonlyArray<Page> => {
  let room = most
  return pages.flatMap((page) => {
    const text = page.text.slice(0, room)
    room -= text.length
    return text === "" ? [] : [{ ...page, text }]
  })
}

const slug = (name: string): string => ownerNameKey(name).normalize("NFC").replaceAll(" ", "-").slice(0, 120)

const keyOf = ({ firmId, name }: PersonClaim): string => `found:${firmId}:${slug(name)}`

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase()

const nothing: Finding = { _tag: "Nothing" }

const make = (idOf: IdOf) =>
  Effect.gen(function*() {
    const grounds = yield* FindingGround
    const sites = yield* SiteReader
    const proposer = yield* Proposer
    const mail = yield* MailDomains
    const imported = yield* ImportedResearcher.make

    const pagesOf = Effect.fnUntraced(function*({ firms }: Ground) {
      const read = yield* Effect.forEach(
        firms.filter((firm) => siteOf(firm) !== null).slice(0, mostSites),
        (firm) =>
          Effect.map(sites.read(siteOf(firm) ?? ""), ({ pages, trouble }) => ({
            trouble,
            pages: pages.map((page): Page => ({ ...page, firmId: firm.id, domain: firm.domain }))
          }))
      )
      return {
        pages: within([...firms.flatMap(recordPage), ...read.flatMap(({ pages }) => pages)], mostText),
        trouble: read.flatMap(({ trouble }) => trouble ?? [])[0] ?? null
      }
    })

    /** The people of the claims whom the records may be told of, each with what is known of them. */
    const meet = Effect.fnUntraced(function*(claims: ReadonlyArray<Claim>, { firms, person }: Ground) {
      const people = claims.flatMap((claim) => claim.kind === "person" ? [claim] : [])
      if (people.length === 0) return []
      const domains = [...new Set(people.flatMap(({ email }) => email === null ? [] : [domainOf(email)]))]
      const taken = new Map(
        yield* Effect.forEach(domains, (domain) =>
          Effect.map(mail.takesMail(domain), (takes) => [domain, takes] as const))
      )
      const known = yield* grounds.acquaintances(
        people.map((claim) => ({
          firmId: claim.firmId,
          domain: firms.find(({ id }) =>
            id === claim.firmId
          )?.domain ?? null,
          name: claim.name,
          email: claim.email,
          key: keyOf(claim)
        })),
        person?.id ?? null
      )
      return people.flatMap((claim, index): ReadonlyArray<MetPerson> => {
        const acquaintance = known[index]
        if (acquaintance === undefined || acquaintance._tag === "Barred") return []
        const takesMail = claim.email === null ? "unknown" : taken.get(domainOf(claim.email)) ?? "unknown"
        return [{ claim, key: keyOf(claim), acquaintance, takesMail }]
      })
    })

    /** Of a job about somebody, only that person's record counts, and of a job about an email, only one that is news. */
    const isAskedFor = ({ action, subjectId }: ResearchJob) => (person: MetPerson): boolean => {
      if (action !== "research_contact" && action !== "find_email") return true
      if (person.acquaintance._tag === "New" || person.acquaintance.id !== subjectId) return false
      return action === "research_contact" || newEmailOf(person) !== null
    }

    const find = Effect.fnUntraced(function*(job: ResearchJob, ground: Ground) {
      const { pages, trouble } = yield* pagesOf(ground)
      if (pages.length === 0) {
        const unread: Finding = trouble === null ? nothing : { _tag: "Unreachable", reason: trouble }
        return unread
      }
      const topic = topicOf(ground, job.action)
      const { claims, dropped } = judge(yield* proposer.propose({ topic, pages }), pages, topic)
      yield* Effect.logInfo(`research ${job.jobId}: ${claims.length} claims stand on ${pages.length} pages`).pipe(
        Effect.annotateLogs({ dropped: dropped.join(" ") })
      )
      const people = (yield* meet(claims, ground)).filter(isAskedFor(job))
      const now = yield* DateTime.now
      const delivered = deliveredOf(
        ground,
        claims,
        people,
        { idOf, latestYear: DateTime.getPartUtc(now, "year") + 1 },
        DateTime.formatIso(now)
      )
      const finding: Finding = delivered === null ? nothing : { _tag: "Found", ...delivered }
      return finding
    })

    return Researcher.of({
      research: Effect.fn("Researcher.research")(function*(job) {
        const known = yield* imported.research(job)
        if (kinds[job.action].length === 0 || (job.action === "find_email" && known._tag === "Found")) return known
        const ground = yield* grounds.of(job)
        if (
          Option.isNone(ground) || (job.action === "find_email" && ground.value.person?.doNotContact.email === true)
        ) {
          return known
        }
        const found = yield* find(job, ground.value).pipe(
          Effect.catchTag("ProposerFailed", ({ reason }) => Effect.succeed<Finding>({ _tag: "Unreachable", reason })),
          Effect.timeout(patience),
          Effect.catchTag(
            "TimeoutError",
            () => Effect.succeed<Finding>({ _tag: "Unreachable", reason: "finding took too long" })
          )
        )
        return found._tag === "Found" || known._tag === "Nothing" ? found : known
      })
    })
  })

/** `idOf`: the ids of records that are new. */
export const layer = (idOf: IdOf) => Layer.effect(Researcher, make(idOf))
