/**
 * What this backend offers of Freehold's own operations: unlocking a property, and leads from their qualification to the
 * bundle that is delivered.
 *
 * An operation is a value: who may call it, what its input is, how it can be refused. A handler answers it. `binder` ties the two
 * together with a place among the organization's calls, `permit` asks for scope and plan.
 */
import { Admission, permit } from "@freehold/core/access/Admission"
import { Caller } from "@freehold/core/access/Caller"
import type { HandlerOf } from "@freehold/core/access/Handler"
import { binder } from "@freehold/core/catalogue/Runner"
import { GetLeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import * as LeadReader from "@freehold/core/lead/LeadReader"
import { Workload } from "@freehold/core/load/Workload"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import * as PipelineDesk from "@freehold/core/pipeline/PipelineDesk"
import { QualifyLead } from "@freehold/core/pipeline/PipelineOperations"
import { UnlockProperty } from "@freehold/core/property/PropertyOperations"
import * as PropertyUnlocker from "@freehold/core/property/PropertyUnlocker"
import { type AnyRefusal, outcomes } from "@freehold/http-host/Status"
import { Context, Effect, flow, Layer } from "effect"

/** Who asks, and what for; the operation checks the input. */
export interface Asked {
  readonly address: string
  readonly authorization: string | undefined
  readonly requestId: string
  readonly input: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const refused = (refusal: AnyRefusal): Answer => ({
  status: outcomes[refusal._tag].status,
  headers: "retryAfterSeconds" in refusal ? { "retry-after": String(refusal.retryAfterSeconds) } : {},
  body: { error: refusal.message, code: refusal._tag, ...detailOf(refusal) }
})

const answered = (answer: Effect.Effect<Answer, AnyRefusal>): Effect.Effect<Answer> =>
  Effect.catch(answer, (refusal) => Effect.succeed(refused(refusal)))

/** The operations on offer; each answers one request, whatever comes of it. */
export class Leads extends Context.Service<Leads>()("embed-leads/Leads", {
  make: Effect.gen(function*() {
    const admission = yield* Admission
    const bind = binder(yield* Workload)
    const { unlock } = yield* PropertyUnlocker.make
    const { qualify } = yield* PipelineDesk.make
    const { bundle, list } = yield* LeadReader.make

    const offer = <Op extends AnyOperation>(operation: Op, handler: HandlerOf<Op>) => {
      const run = bind(operation, handler)
      return Effect.fn(operation.name)(function*({ input, ...request }: Asked) {
        const { caller } = yield* admission.admit(request)
        yield* permit(caller, operation.access)
        return { status: 200, headers: {}, body: yield* Effect.provideService(run(input), Caller, caller) }
      })
    }

    return {
      unlock: flow(offer(UnlockProperty, unlock), answered),
      qualify: flow(offer(QualifyLead, qualify), answered),
      list: flow(offer(ListLeads, list), answered),
      deliver: flow(offer(GetLeadBundle, bundle), answered)
    }
  })
}) {
  static readonly layer = Layer.effect(Leads, Leads.make).pipe(Layer.provide(Workload.layer))
}
