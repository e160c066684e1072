/** `ResearchRuns` in memory. */
import { Clock, Duration, Effect, Layer, Option, Queue } from "effect"
import { Ledger } from "../../credit/Ledger.ts"
import { decideRefund } from "../../credit/Refund.ts"
import * as Turns from "../../credit/Turns.ts"
import { compareText } from "../../operation/TextOrder.ts"
import {
  type FailureReason,
  isActive,
  type ItemEvent,
  type ResearchJob,
  transition
} from "../../research/ResearchRun.ts"
import {
  DeliveryRejected,
  type Ending,
  type FoundStrategy,
  MaximumLaunches,
  ResearchRuns
} from "../../research/ResearchRuns.ts"
import { apply } from "../import/ImportedRows.ts"
import { listedResult } from "../Listed.ts"
import { MemoryState, type State, type StoredRun } from "../MemoryState.ts"
import { alone, alongside } from "../MemoryTransaction.ts"
import { readingOf } from "../property/PropertyReading.ts"
import { survivorOf } from "../property/Survivor.ts"
import { activeItems, impediment, ownRun, refused } from "./LaunchRefusals.ts"

type Item = StoredRun["items"][number]

const system = { kind: "system", id: null, name: null } as const

const find = (state: State, jobId: string): Option.Option<{ readonly run: StoredRun; readonly item: Item }> => {
  for (const run of state.researchRuns.values()) {
    const item = run.items.find((each) => each.jobId === jobId)
    if (item !== undefined) return Option.some({ run, item })
  }
  return Option.none()
}

/** The run, each item with the property that it is about now, and what of it may be told. */
const current = (state: State, run: StoredRun): StoredRun => ({
  ...run,
  items: run.items.map((item) => ({
    ...item,
    propertyId: survivorOf(state, item.propertyId)?.id ?? null,
    result: listedResult(state, item.result)
  }))
})

/** Stores the item anew, and the run's end when it was its last one. */
const put = (state: State, { runId }: StoredRun, item: Item, now: number): void => {
  const run = state.researchRuns.get(runId)
  if (run === undefined) return
  const items = run.items.map((each) => each.jobId === item.jobId ? item : each)
  const ended = !items.some((each) => isActive(each.state))
  state.researchRuns.set(run.runId, { ...run, items, finishedAt: ended ? run.finishedAt ?? now : null })
}

const mark = (state: State, run: StoredRun, item: Item): void => {
  const property = state.properties.get(item.subjectId)
  if (run.action !== "research_property" || property === undefined) return
  const status = item.state === "running" ? "processing" : item.state
  state.properties.set(property.id, { ...property, enrichmentStatus: status })
}

/** What is due, that of each organization after the claims that it holds. */
const inTurns = (state: State, now: number) => {
  const active = [...state.researchRuns.values()]
    .flatMap(({ items, orgId, runId }) => items.map((item) => ({ orgId, runId, item })))
    .filter(({ item }) => isActive(item.state))
  const turns = new Map<string, number>()
  const nextTurn = (orgId: string): number => {
    const turn = (turns.get(orgId) ?? 0) + 1
    turns.set(orgId, turn)
    return turn
  }
  for (const { item, orgId } of active) {
    if (item.state === "running" && !item.handedOver && item.dueAt > now) nextTurn(orgId)
  }
  return active
    .filter(({ item }) => item.dueAt <= now)
    .sort((left, right) => left.item.dueAt - right.item.dueAt)
    .map((each) => ({ ...each, turn: nextTurn(each.orgId) }))
    .sort((left, right) => left.turn - right.turn)
}

/** `ResearchRuns` in memory. */
export const layer: Layer.Layer<ResearchRuns, never, MemoryState | Ledger> = Layer.effect(
  ResearchRuns,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const ledger = yield* Ledger
    const wakes = yield* Queue.sliding<void>(1)
    const turns = Turns.make()

    const propertyOf = (propertyId: string | null): ResearchJob["property"] => {
      const property = survivorOf(state, propertyId)
      return property === undefined ? null : { id: property.id, key: property.key }
    }

    const jobOf = (run: StoredRun, item: Item): Option.Option<ResearchJob> =>
      Option.map(Option.fromUndefinedOr(state.organizations.get(run.orgId)), (organization) => ({
        jobId: item.jobId,
        runId: run.runId,
        organization,
        action: run.action,
        actor: run.actor,
        subjectId: item.subjectId,
        subjectKey: state.properties.get(item.subjectId)?.key ?? item.subjectId,
        property: propertyOf(item.propertyId),
        opened: state.accounts.get(run.orgId)?.properties.get(item.subjectId)?.chargeEntry === item.chargeEntry,
        wish: run.wish,
        claim: item.claim,
        attempts: item.attempts,
        overdue: item.handedOver
      }))

    /** Changes an item whose claim is still held. */
    const held = (
      job: Pick<ResearchJob, "jobId" | "claim">,
      event: ItemEvent,
      change: (now: number) => Partial<Item>
    ) =>
      alongside(
        state,
        Effect.map(Clock.currentTimeMillis, (now) => {
          const found = find(state, job.jobId)
          if (Option.isNone(found) || found.value.item.claim !== job.claim) return
          const next = transition(found.value.item.state, event)
          if (next === null) return
          const item = { ...found.value.item, ...change(now), state: next }
          put(state, found.value.run, item, now)
          mark(state, found.value.run, item)
        })
      )

    return ResearchRuns.of({
      candidates: Effect.fn("ResearchRuns.candidates")((orgId, refs) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          const researching = activeItems(state, null, "research_property", null)
          return refs.flatMap((ref) => {
            const property = reading.find(ref)
            if (property === undefined) return []
            const source = reading.access(property.id)?.source
            return [{
              ref,
              id: property.id,
              key: property.key,
              address: property.address,
              countyFips: property.countyFips,
              retiredInto: property.retiredInto,
              researched: property.research !== null,
              access: source === "paid" || source === "covered" ? source : null,
              researching: researching.has(property.id),
              runId: ownRun(state, orgId, { action: "research_property", subjectId: property.id, propertyId: null })
            }]
          })
        })
      ),

      launch: Effect.fn("ResearchRuns.launch")((given, decide) => {
        const { action, batch, claimedFor, orgId, propertyId, subjects } = given
        const name = batch ? "batch" : `${action} ${subjects.map(({ subjectId }) => subjectId).join(" ")} ${propertyId}`
        const launched = Effect.gen(function*() {
          const refusal = refused(state, given, yield* MaximumLaunches)
          if (refusal !== null) return yield* refusal
          const charges = yield* ledger.transact(
            { orgId, subject: { _tag: "Research", launch: name }, exclusive: true, now: given.now, usage: given.usage },
            decide
          )
          const run: StoredRun = {
            runId: given.runId,
            orgId,
            action,
            batch,
            wish: given.wish,
            actor: given.actor,
            createdAt: given.now,
            finishedAt: null,
            items: subjects.map(({ jobId, subjectId }, index) => ({
              jobId,
              subjectId,
              propertyId,
              state: claimedFor === null ? "queued" : "running",
              reason: null,
              chargeEntry: charges[index] ?? 0,
              result: null,
              claim: claimedFor === null ? 0 : 1,
              attempts: 0,
              handedOver: false,
              dueAt: given.now + (claimedFor === null ? 0 : Duration.toMillis(claimedFor))
            }))
          }
          state.researchRuns.set(run.runId, run)
          for (const item of run.items) mark(state, run, item)
          return run
        })
        return turns.take({ orgId, item: name }, alone(state, launched)).pipe(
          Effect.tap(() => Queue.offer(wakes, undefined))
        )
      }),

      read: Effect.fn("ResearchRuns.read")((orgId, runId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(state.researchRuns.get(runId)).pipe(
            Option.filter((run) => run.orgId === orgId),
            Option.map((run) => current(state, run))
          )
        )
      ),

      impediment: Effect.fn("ResearchRuns.impediment")((orgId, launch) =>
        Effect.map(MaximumLaunches, (maximum) => Option.fromNullishOr(impediment(state, { ...launch, orgId }, maximum)))
      ),

      list: Effect.fn("ResearchRuns.list")((orgId, { aboutId, action, actorId, before, limit }) =>
        Effect.sync(() =>
          [...state.researchRuns.values()]
            .filter((run) =>
              run.orgId === orgId && (action === null || run.action === action) &&
              (actorId === null || run.actor.id === actorId) &&
              (before === null || run.runId < before)
            )
            .map((run) => current(state, run))
            .filter(({ items }) =>
              aboutId === null ||
              items.some(({ propertyId, subjectId }) =>
                (survivorOf(state, subjectId)?.id ?? subjectId) === aboutId || propertyId === aboutId
              )
            )
            .sort((left, right) => compareText(right.runId, left.runId))
            .slice(0, limit)
        )
      ),

      underWay: Effect.fn("ResearchRuns.underWay")((orgId, { propertyIds, ...doing }) =>
        Effect.sync(() => {
          const about = propertyIds.length === 0 ? [null] : propertyIds
          const [first] = about.flatMap((propertyId) => ownRun(state, orgId, { ...doing, propertyId }) ?? [])
          return Option.fromUndefinedOr(first)
        })
      ),

      takenUp: Effect.fn("ResearchRuns.takenUp")((orgId, propertyIds) =>
        Effect.sync(() => {
          const account = state.accounts.get(orgId)
          const moments = propertyIds.flatMap((id) => {
            const charge = account?.properties.get(id)?.chargeEntry ?? null
            const paid = charge === null ? undefined : account?.entries[charge - 1]?.at
            const lead = state.leads.get(`${orgId} ${id}`)
            const moved = lead?.status === "lost" || lead?.status === "disqualified" ? undefined : lead?.statusChangedAt
            return [paid, moved].flatMap((at) => at === undefined ? [] : [{ id, at: Date.parse(at) }])
          })
          const [last] = moments.sort((left, right) => right.at - left.at || compareText(left.id, right.id))
          return Option.map(Option.fromUndefinedOr(last), ({ id }) => id)
        })
      ),

      strategy: Effect.fn("ResearchRuns.strategy")((orgId, contactId, propertyIds) =>
        Effect.sync(() => {
          const found = [...state.researchRuns.values()]
            .filter((run) => run.orgId === orgId && run.action === "deep_research_contact")
            .flatMap((run) => current(state, run).items.map((item) => ({ ...item, runId: run.runId })))
            .flatMap(({ propertyId, result, runId, subjectId }): ReadonlyArray<FoundStrategy> =>
              subjectId === contactId && result?._tag === "Strategy" && propertyId !== null &&
                propertyIds.includes(propertyId)
                ? [{ runId, propertyId, strategy: result.strategy }]
                : []
            )
          return Option.fromUndefinedOr(found.at(-1))
        })
      ),

      job: Effect.fn("ResearchRuns.job")((jobId) =>
        Effect.sync(() => Option.flatMap(find(state, jobId), ({ item, run }) => jobOf(run, item)))
      ),

      claim: Effect.fn("ResearchRuns.claim")(({ lease, limit }) =>
        alongside(
          state,
          Effect.map(Clock.currentTimeMillis, (now) => {
            const due = inTurns(state, now).slice(0, limit)
            return due.flatMap(({ item, runId }) => {
              const run = state.researchRuns.get(runId)
              if (run === undefined) return []
              const claimed = {
                ...item,
                state: transition(item.state, "Claim") ?? item.state,
                claim: item.claim + 1,
                dueAt: now + Duration.toMillis(lease)
              }
              put(state, run, claimed, now)
              mark(state, run, claimed)
              return Option.toArray(jobOf(run, claimed))
            })
          })
        )
      ),

      handOver: Effect.fn("ResearchRuns.handOver")((job, patience) =>
        held(job, "HandOver", (now) => ({ handedOver: true, dueAt: now + Duration.toMillis(patience) }))
      ),

      retry: Effect.fn("ResearchRuns.retry")((job, wait) =>
        held(
          job,
          "Retry",
          (now) => ({ attempts: attemptsOf(state, job.jobId) + 1, dueAt: now + Duration.toMillis(wait) })
        )
      ),

      deliver: Effect.fn("ResearchRuns.deliver")(
        function*(jobId, { partial, result, rows }) {
          const now = yield* Clock.currentTimeMillis
          const found = find(state, jobId)
          if (Option.isNone(found)) return "unknown" satisfies Ending
          const next = transition(found.value.item.state, partial ? "DeliverPart" : "Deliver")
          if (next === null) return "ended" satisfies Ending
          const before = [new Map(state.properties), new Map(state.contacts), new Map(state.firms)] as const
          const faults = apply(state, rows, now)
          if (faults.length > 0) {
            for (const [id, property] of before[0]) state.properties.set(id, property)
            for (const [id, contact] of before[1]) state.contacts.set(id, contact)
            for (const [id, firms] of before[2]) state.firms.set(id, firms)
            return yield* new DeliveryRejected({ faults })
          }
          const item = { ...found.value.item, state: next, result }
          put(state, found.value.run, item, now)
          mark(state, found.value.run, item)
          return "done" satisfies Ending
        },
        (delivered) => alongside(state, delivered)
      ),

      fail: Effect.fn("ResearchRuns.fail")((jobId, reason: FailureReason) =>
        alone(
          state,
          Effect.gen(function*() {
            const now = yield* Clock.currentTimeMillis
            const found = find(state, jobId)
            if (Option.isNone(found)) return "unknown" satisfies Ending
            const { item, run } = found.value
            const next = transition(item.state, "Fail")
            if (next === null) return "ended" satisfies Ending
            yield* ledger.transact(
              { orgId: run.orgId, subject: { _tag: "Entry", entry: item.chargeEntry }, exclusive: false, now },
              (snapshot) =>
                decideRefund(snapshot, { reason: `research: ${reason}`, actor: system, requestId: null, now })
            ).pipe(Effect.catchTag(["INVALID_ARGUMENTS", "ACTION_IN_PROGRESS"], Effect.die))
            const failed = { ...item, state: next, reason }
            put(state, run, failed, now)
            mark(state, run, failed)
            return "done" satisfies Ending
          })
        )
      ),

      awaitWork: (atMost) => Effect.raceFirst(Queue.take(wakes), Effect.sleep(atMost))
    })
  })
)

const attemptsOf = (state: State, jobId: string): number =>
  Option.match(find(state, jobId), { onNone: () => 0, onSome: ({ item }) => item.attempts })
