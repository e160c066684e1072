/**
 * Which tools a caller cannot use now, each with a refusal that it would get: person and role first, then what is the organization's,
 * the scope, the area, and the day's. A call is asked for its scope earlier; but a scope that an admin adds helps nobody whose plan
 * has no such part, or whose organization keeps the tool from all.
 *
 * | what stands in the way                                | tools                              |
 * | ----------------------------------------------------- | ---------------------------------- |
 * | person, role, the plan's parts                        | as each operation says             |
 * | change events, pipeline changes, switched off         | changes; moves of leads            |
 * | the stages belong to the organization's CRM           | moves other than (dis)qualifying   |
 * | scope                                                 | as each operation says             |
 * | nothing is visible                                    | what is refused without an area    |
 * | the day's pipeline changes are used up                | moves of leads                     |
 * | no grant yet, payment failed, credits dormant         | research and drafts                |
 * | the day's paid unlocks are used up                    | research of properties             |
 * | no money for one, or none left of the caller's month  | research and drafts                |
 * | the day's exports are used up                         | lead bundles                       |
 * | payment failed, credits dormant, no money             | lead bundles past the free ones    |
 *
 * What may be free is not told of as out of reach for its price: an unlock or a reveal of what is open, an email that is known, deep
 * research that there is already.
 */
import { Result } from "effect"
import { FeatureGated, SignalsNotEnabled } from "../access/AccessRefusals.ts"
import * as Acting from "../access/Acting.ts"
import type { CallerFacts } from "../access/Caller.ts"
import { GetChanges } from "../change/ChangeOperations.ts"
import { NotEntitled, NoVisibleTerritory } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { affords, mayLaunch, mayPay } from "../credit/Charge.ts"
import { isFreeExport } from "../credit/ExportDecision.ts"
import type { LedgerSnapshot } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import { AccountDailyCapExceeded } from "../limit/LimitRefusals.ts"
import type { Limits } from "../limit/Limits.ts"
import { allow } from "../limit/Metering.ts"
import type { AnyOperation } from "../operation/Operation.ts"
import { UpdateLeadStatus } from "../pipeline/PipelineOperations.ts"
import { McpQualificationDisabled, StageCapped } from "../pipeline/PipelineRefusals.ts"
import { pricedOperations } from "../research/PricedAction.ts"
import { ResearchProperties } from "../research/ResearchOperations.ts"
import { priceOf, ResearchAction } from "../research/ResearchRun.ts"

export type Offered = Pick<AnyOperation, "name" | "access" | "effect" | "refusals" | "tool">

/** What decides besides the operation. */
export interface Standing {
  readonly caller: CallerFacts
  readonly limits: Limits
  /** With the lead bundles of this UTC month. */
  readonly snapshot: LedgerSnapshot
}

interface Obstacle {
  readonly _tag: string
  readonly message: string
}

type Reach = Result.Result<void, Obstacle>

const through: Reach = Result.succeed(undefined)

/** Whether the plan has the part of the service that the operation needs. */
const gateOf = ({ organization }: CallerFacts, { access }: Offered): Reach =>
  access.gate === null || organization.features[access.gate]
    ? through
    : Result.fail(new FeatureGated({ feature: access.gate }))

/** Whether what the operation needs is switched on, and not the CRM's. */
const switchOf = ({ organization }: CallerFacts, { name, refusals }: Offered): Reach =>
  refusals.includes(McpQualificationDisabled) && !organization.agent_pipeline_changes
    ? Result.fail(new McpQualificationDisabled())
    : name === UpdateLeadStatus.name && organization.crm_mode === "external"
    // Of every stage that the tool moves to, it is said in the same words.
    ? Result.fail(new StageCapped({ status: "attempted_contact" }))
    : name === GetChanges.name && !organization.features.signals
    ? Result.fail(new SignalsNotEnabled({ issues: [] }))
    : through

/** Whether anything is visible, where the operation is refused without. */
const areaOf = (caller: CallerFacts, { refusals }: Offered): Reach =>
  refusals.includes(NoVisibleTerritory) ? Territory.some(caller) : through

/** Whether the lead may still be moved from here today. */
const movesOf = ({ limits, snapshot }: Standing, { refusals }: Offered): Reach =>
  refusals.includes(McpQualificationDisabled) ? allow(limits, snapshot.usage, "agent_pipeline_change", 1) : through

/** What is launched by each tool of research. */
const launched: ReadonlyMap<string, ResearchAction> = new Map([
  ...ResearchAction.literals.map((action) => [pricedOperations[action].name, action] as const),
  [ResearchProperties.name, "research_property"]
])

/** Whether the action may be answered without a launch. */
const mayBeKnown = (action: ResearchAction, { version }: LedgerSnapshot): boolean =>
  // An email may have come with the contact; a strategy was paid for once.
  action === "find_email" || action === "deep_research_contact" && version > 0

/** Whether research can be paid for now. */
const researchOf = ({ limits, snapshot }: Standing, { name, refusals }: Offered): Reach => {
  const action = launched.get(name)
  if (action === undefined || mayBeKnown(action, snapshot)) return through
  return mayLaunch(snapshot).pipe(
    Result.andThen(() =>
      refusals.includes(AccountDailyCapExceeded) ? allow(limits, snapshot.usage, "paid_property_unlock", 1) : through
    ),
    Result.andThen(() => affords(snapshot, priceOf(action), { limits, now: limits.now }))
  )
}

/** Whether another bundle may be delivered today, and be paid for where it is not free. */
const exportsOf = ({ limits, snapshot }: Standing, { refusals }: Offered): Reach => {
  if (!refusals.includes(NotEntitled)) return through
  const isFree = isFreeExport(snapshot.exportsUsed, snapshot.organization.export_allowance, limits.allowance !== null)
  return (isFree ? through : mayPay(snapshot)).pipe(
    Result.andThen(() => allow(limits, snapshot.usage, "lead_export", 1)),
    Result.andThen(() => isFree ? through : affords(snapshot, prices.lead_delivery, { limits, now: limits.now }))
  )
}

/** The first thing that stands in the way of the operation as a tool. */
const obstacleOf = (standing: Standing, operation: Offered): Reach => {
  const { caller } = standing
  const steps: ReadonlyArray<() => Reach> = [
    () => Acting.permits(caller, operation),
    () => gateOf(caller, operation),
    () => switchOf(caller, operation),
    () => Acting.permitScope(caller, operation),
    () => areaOf(caller, operation),
    () => movesOf(standing, operation),
    () => researchOf(standing, operation),
    () => exportsOf(standing, operation)
  ]
  return steps.reduce((before, next) => Result.andThen(before, next), through)
}

/** The tools that the caller cannot use now. */
export const unavailableTools = (standing: Standing, operations: ReadonlyArray<Offered>) =>
  operations.filter(({ tool }) => tool).flatMap((operation) =>
    Result.match(obstacleOf(standing, operation), {
      onSuccess: () => [],
      onFailure: ({ _tag: code, message: why }) => [{ name: operation.name, code, why }]
    })
  )
