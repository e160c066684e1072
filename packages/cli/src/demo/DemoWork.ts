/**
 * What the team of the demonstration did before the newcomer came: leads, a note, tasks, a list, a saved search, and a
 * contact that was researched and written to in a draft. The member does it with the very services that answer members
 * and their assistants, so that rules, charges and histories are the real ones.
 *
 * The draft comes last and says that all is there. A start that was interrupted is taken up again: each step leaves alone
 * what is there already.
 */
import * as DemonstrationPg from "@freehold/adapters-pg/diagnosis/DemonstrationPg"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import { Caller, type PersonCaller } from "@freehold/core/access/Caller"
import * as Territory from "@freehold/core/coverage/Territory"
import { listBounds } from "@freehold/core/list/List"
import { Lists } from "@freehold/core/list/Lists"
import * as NoteKeeper from "@freehold/core/note/NoteKeeper"
import { Organizations } from "@freehold/core/organization/Organizations"
import { LeadMover } from "@freehold/core/pipeline/LeadMover"
import type { Wish } from "@freehold/core/pipeline/Moves"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import * as PropertyRef from "@freehold/core/property/PropertyRef"
import * as FindingRecord from "@freehold/core/research/FindingRecord"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import * as ResearchDesk from "@freehold/core/research/ResearchDesk"
import { Researcher } from "@freehold/core/research/Researcher"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import * as SearchShelf from "@freehold/core/search/SearchShelf"
import * as TaskKeeper from "@freehold/core/task/TaskKeeper"
import { Tasks } from "@freehold/core/task/Tasks"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { recordId } from "../import/RecordId.ts"
import * as DemoOrganization from "./DemoOrganization.ts"
import { licensed } from "./DemoRecords.ts"
import type { DemoScene } from "./DemoScene.ts"

/** The member at work, as the assistant connection that a member has. None: there is no such member any more. */
const memberAtWork = Effect.gen(function*() {
  const organizations = yield* Organizations
  const random = yield* SecureRandom.SecureRandom
  const organization = yield* organizations.find(DemoOrganization.orgId)
  const member = (yield* organizations.members(DemoOrganization.orgId)).find(
    ({ email, status }) => email === DemoOrganization.memberEmail && status === "active"
  )
  if (Option.isNone(organization) || member === undefined) return Option.none<PersonCaller>()
  return Option.some<PersonCaller>({
    kind: "person",
    member,
    clientId: "demonstration",
    credentialId: yield* random.uuidV4(),
    label: `${member.name} demonstration`,
    scopes: ["mcp"],
    organization: organization.value,
    territory: member.territory,
    requestId: yield* random.uuidV4()
  })
})

const leads = Effect.fnUntraced(function*(
  { propertyKeys: [first, second, third] }: DemoScene,
  { member, organization, territory }: PersonCaller
) {
  const pipeline = yield* Pipeline
  const mover = yield* LeadMover
  const person = { id: member.memberId, name: member.name }
  const steps: ReadonlyArray<readonly [property: string, wishes: ReadonlyArray<Wish>]> = [
    [first, [
      { to: "qualified", dealValue: 48_000, note: "Made up: the roof is 20 years old" },
      { to: "attempted_contact" },
      { to: "active_opportunity", dealValue: 52_000 }
    ]],
    [second, [{ to: "qualified", dealValue: 18_000 }]],
    [third, [{ to: "qualified", dealValue: 9_000 }, { to: "disqualified", reason: "too_small" }]]
  ]
  for (const [key, wishes] of steps) {
    const property = PropertyRef.parse(key)
    const standing = yield* pipeline.standing(property, organization.org_id)
    if (Option.exists(standing, ({ lead }) => lead !== null)) continue
    for (const wish of wishes) {
      yield* mover.move({
        perspective: { organization, territory },
        property,
        wish,
        actor: { kind: "member", ...person },
        owner: person,
        limits: null
      })
    }
  }
})

const notesAndTasks = Effect.fnUntraced(function*(
  { propertyKeys: [first, second] }: DemoScene,
  { member, organization, territory }: PersonCaller
) {
  const perspective = { organization, territory }
  const notes = yield* NoteKeeper.make
  const keeper = yield* TaskKeeper.make
  const tasks = yield* Tasks
  if ((yield* notes.of(perspective, first, 1)).length === 0) {
    yield* notes.write(perspective, member, first, "Made up: the manager asked for an offer before the winter.")
  }
  const filed = yield* tasks.list({
    orgId: organization.org_id,
    propertyId: null,
    status: null,
    limit: 2,
    offset: 0
  })
  const wanted = [
    { property: first, title: "Send the offer (demo)", type: "email" },
    { property: second, title: "Call the owner (demo)", type: "call" }
  ] as const
  for (const task of wanted.slice(filed.total)) {
    yield* keeper.add({ ...task, perspective, author: member, description: null, due: null, assignee: member })
  }
})

const listAndSearch = Effect.fnUntraced(function*(
  { propertyKeys }: DemoScene,
  { member, organization, territory }: PersonCaller
) {
  const lists = yield* Lists
  const shelf = yield* SearchShelf.make
  const random = yield* SecureRandom.SecureRandom
  const now = yield* Clock.currentTimeMillis
  const made = yield* lists.create({
    orgId: organization.org_id,
    id: yield* random.uuidV4(),
    name: "Worth a visit (demo)",
    type: "properties",
    visibility: "team",
    sharedWith: [],
    owner: member,
    onClash: "reuse",
    bounds: listBounds,
    now
  })
  if (made.outcome === "too_many") return yield* Effect.die("the demonstration has one list")
  yield* lists.add({
    orgId: organization.org_id,
    reader: member.memberId,
    bounds: listBounds,
    listId: made.list.id,
    itemIds: propertyKeys.map((key) => recordId("properties", key)),
    visible: Territory.visible({ organization, territory }),
    now
  })
  yield* shelf.save(organization, member, "Offices (demo)", {
    filters: { countyFips: [licensed.fips], categories: ["Office"] }
  }).pipe(Effect.catchTag("NAME_IN_USE", () => Effect.void))
})

/** Has the contact researched, and a draft written. Charged like every research. */
const draft = Effect.fnUntraced(function*({ contactId }: DemoScene, { organization }: PersonCaller) {
  const desk = yield* ResearchDesk.make
  const runs = yield* ResearchRuns
  const researcher = yield* Researcher
  const { record } = yield* FindingRecord.make
  const { credits_charged: charged, run_id: runId } = yield* desk.deepResearch({ contact_id: contactId })
  if (charged > 0) {
    const run = yield* runs.read(organization.org_id, runId)
    const [item] = Option.match(run, { onNone: () => [], onSome: ({ items }) => items })
    const job = item === undefined ? Option.none() : yield* runs.job(item.jobId)
    // Worked on here, since the draft needs what it finds and no worker runs yet.
    if (Option.isSome(job)) {
      yield* record(job.value, yield* researcher.research(job.value), {
        patience: Duration.minutes(1),
        retryDelays: []
      })
    }
  }
  yield* desk.draft({ contact_id: contactId, purpose: "an offer for the roof", tone: "friendly" })
})

const services = Layer.mergeAll(LeadMover.layer, ImportedResearcher.layer, ResearchRunsPg.layer, TemplateDrafter.layer)

/** Does what is not done yet; answers the run of the draft, if there is one. */
export const perform = Effect.fn("DemoWork.perform")(function*(scene: DemoScene) {
  const atWork = yield* memberAtWork
  if (Option.isNone(atWork)) return Option.none<string>()
  const caller = atWork.value
  yield* leads(scene, caller)
  yield* notesAndTasks(scene, caller)
  yield* listAndSearch(scene, caller)
  yield* Effect.provideService(draft(scene, caller), Caller, caller)
  return yield* DemonstrationPg.draft(DemoOrganization.orgId)
}, Effect.provide(services))
