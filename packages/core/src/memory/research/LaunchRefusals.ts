/** What refuses a launch of research in memory: what is going on, what was delivered, and how much was launched of late. */
import { isRecent, LaunchRateLimited } from "../../rate/LaunchRateLimited.ts"
import { AlreadyResearching, BatchAlreadyRunning } from "../../research/ResearchRefusals.ts"
import { isActive, type ResearchAction } from "../../research/ResearchRun.ts"
import { type Launch, launchWindow } from "../../research/ResearchRuns.ts"
import type { State, StoredRun } from "../MemoryState.ts"
import { survivorOf } from "../property/Survivor.ts"

/** What was about a property that was merged is about the survivor. */
const placeOf = (state: State, propertyId: string | null): string | null =>
  survivorOf(state, propertyId)?.id ?? propertyId

/** The subjects of what is going on; of what is about a property too, those of `propertyId`. */
export const activeItems = (
  state: State,
  orgId: string | null,
  action: ResearchAction,
  propertyId: string | null
): ReadonlySet<string> =>
  new Set(
    [...state.researchRuns.values()]
      .filter((run) => run.action === action && (orgId === null || run.orgId === orgId))
      .flatMap(({ items }) => items)
      .filter((item) => isActive(item.state) && placeOf(state, item.propertyId) === propertyId)
      .map(({ subjectId }) => subjectId)
  )

/** What refuses any launch of the organization. */
export const impediment = (
  state: State,
  { batch, now, orgId }: Pick<Launch, "batch" | "now" | "orgId">,
  maximum: number
) => {
  const own = [...state.researchRuns.values()].filter((run) => run.orgId === orgId)
  const running = own.find((run) => run.batch && run.finishedAt === null)
  if (batch && running !== undefined) return new BatchAlreadyRunning({ run_id: running.runId })
  const recent = own.filter(({ createdAt }) => isRecent(createdAt, launchWindow, now)).slice(-maximum)
  if (recent.length >= maximum) {
    const free = (recent[0]?.createdAt ?? now) + launchWindow
    return new LaunchRateLimited({ kind: "research", retryAfterSeconds: Math.max(1, Math.ceil((free - now) / 1000)) })
  }
  return null
}

/** The run that delivered the strategy about the property to one of the subjects. */
const deliveredRun = (state: State, { orgId, propertyId, subjects }: Launch): StoredRun | undefined =>
  [...state.researchRuns.values()].findLast((run) =>
    run.orgId === orgId &&
    run.items.some((item) =>
      item.result?._tag === "Strategy" && placeOf(state, item.propertyId) === propertyId &&
      subjects.some(({ subjectId }) => subjectId === item.subjectId)
    )
  )

/** What refuses a launch before it is asked what it costs; null: nothing. */
export const refused = (state: State, launch: Launch, maximum: number) => {
  const { action, orgId, propertyId, subjects } = launch
  const impeded = impediment(state, launch, maximum)
  if (impeded !== null) return impeded
  // A property is everybody's, and so is its research; what is about a person is one organization's.
  const active = activeItems(state, action === "research_property" ? null : orgId, action, propertyId)
  const found = subjects.find(({ subjectId }) => active.has(subjectId))
  const delivered = launch.unlessDelivered === true ? deliveredRun(state, launch) : undefined
  if (found === undefined && delivered !== undefined) return new AlreadyResearching({ run_id: delivered.runId })
  return found === undefined
    ? null
    : new AlreadyResearching({ run_id: ownRun(state, orgId, { action, propertyId, subjectId: found.subjectId }) })
}

/** The organization's own run that does this now. */
export const ownRun = (
  state: State,
  orgId: string,
  doing: { readonly action: ResearchAction; readonly subjectId: string; readonly propertyId: string | null }
): string | null =>
  [...state.researchRuns.values()].find((run) =>
    run.orgId === orgId && run.action === doing.action &&
    run.items.some((item) =>
      isActive(item.state) && item.subjectId === doing.subjectId && placeOf(state, item.propertyId) === doing.propertyId
    )
  )?.runId ?? null
