/**
 * How many requests are being admitted at once, of all clients and of one.
 *
 * Statements of admission are pipelined, and their answers come together: all that was sent within a round trip goes on in the
 * same turn of the event loop. So few are under way, the clients by turns; who sends many at once waits behind itself, and
 * what was given up while it waited was never counted.
 *
 * What a key asks while a request of it is being admitted waits for that, and then is admitted together, so that who asks for
 * much costs little.
 *
 * Who was not let in yet has places of its own: addresses are easily had by the hundred, and whoever is known would come after all
 * of them.
 */
import * as Admission from "@freehold/core/access/Admission"
import * as FairShares from "@freehold/core/load/FairShares"
import * as Usage from "@freehold/core/load/Usage"
import * as MonotonicTime from "@freehold/core/operation/MonotonicTime"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import * as Trouble from "@freehold/core/operation/Trouble"
import { RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Clock, Context, Effect, Exit, type Fiber, Option } from "effect"
import type { Claim } from "./KnownCallers.ts"
import * as ProcessUsage from "./ProcessUsage.ts"
import * as ThreadLoad from "./ThreadLoad.ts"

/** Milliseconds within which a request is admitted, waiting included. */
const patience = 5000

/** More than the connections of one client. */
const waiting = 1000

/** Requests of a key that are admitted together: what they go on with begins in one turn of the event loop. */
const atMostTogether = 16

const usage = ProcessUsage.ofProcess

/** Of organizations for which somebody was let in of late. */
const known = FairShares.make({ inAll: 12, perOrganization: 2, besideBusier: 4, waiting, rest: 1 }, usage)

/** Of everybody else, each address a client: among organizations they count as one (`Usage.arrive`). */
const strangers = FairShares.make(
  { inAll: 4, perOrganization: 2, besideBusier: 2, waiting, rest: 1 },
  Usage.make(ThreadLoad.busy)
)

const full = Effect.fail(new RateLimitUnavailable({ retryAfterSeconds: 1 }))

/** A request, who makes it as it says, and the organization for which the same was let in last; null: for none. */
export interface Request {
  readonly arrival: Admission.Arrival
  readonly claim: Claim
  readonly orgId: string | null
}

/** Whose turn it is to be: the organization, or the address where nobody knows yet of whom the request is. */
export interface Client {
  readonly orgId: string | null
  readonly address: string
}

/** Runs the effect when it is the turn of the request's client. */
const inPlace = <A, E, R>({ address, orgId }: Client, effect: Effect.Effect<A, E, R>) =>
  orgId === null ? strangers.take(address, effect, full) : known.take(orgId, effect, full)

/** The same within the time that a request has to be admitted, waiting included. */
const inTime = <A, E, R>(client: Client, effect: Effect.Effect<A, E, R>) =>
  TimeLimit.within(inPlace(client, effect), { millis: patience, late: () => full })

/** Finds out who makes a request that has just arrived at another door than that of keys and tokens, when it is its client's turn. */
export const identify = <A, E, R>(client: Client, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    usage.arrive(client.orgId, ProcessUsage.now())
    return inTime(client, effect)
  })

const clientOf = ({ arrival: { address }, orgId }: Request): Client => ({ address, orgId })

type Outcome = Effect.Effect<Admission.Admitted, Admission.AdmissionRefusal>

interface Waiting extends Request {
  readonly context: Context.Context<never>
  readonly settle: (outcome: Outcome) => void
}

/** What waits for the same key, and what is being admitted of it. */
interface Line {
  readonly waiting: Set<Waiting>
  /** Those that still wait for the outcome. */
  readonly underWay: Set<Waiting>
  /** Null: nothing is being admitted. */
  work: Fiber.Fiber<unknown, unknown> | null
}

/** The first of the line, which leave it. */
const shift = ({ underWay, waiting }: Line): ReadonlyArray<Waiting> => {
  const batch: Array<Waiting> = []
  for (const waiter of waiting) {
    if (batch.length === atMostTogether) break
    batch.push(waiter)
  }
  for (const waiter of batch) {
    waiting.delete(waiter)
    underWay.add(waiter)
  }
  return batch
}

export const make = (admission: Admission.Admission["Service"]) => {
  /** By the digest of what they are asked with. */
  const lines = new Map<string, Line>()

  const admitNext = (name: string, line: Line): void => {
    const batch = shift(line)
    const [first] = batch
    if (first === undefined) {
      lines.delete(name)
      return
    }
    const outcomes = admission.admitTogether(first.claim, batch.map(({ arrival }) => arrival))
    const work = Effect.runForkWith(first.context)(inPlace(clientOf(first), Trouble.listening(outcomes)))
    line.work = work
    work.addObserver((exit) => {
      for (const [at, waiter] of batch.entries()) {
        if (!line.underWay.delete(waiter)) continue
        if (Exit.isFailure(exit)) {
          waiter.settle(Effect.failCause(exit.cause))
          continue
        }
        const { answer, told } = exit.value
        const outcome = answer[at] ?? Exit.die(new Error("a request comes to something"))
        waiter.settle(Option.isSome(told) ? Effect.andThen(Trouble.tell(told.value), outcome) : outcome)
      }
      line.work = null
      admitNext(name, line)
    })
  }

  const lineOf = (name: string): Line => {
    const known = lines.get(name)
    if (known !== undefined) return known
    const line: Line = { waiting: new Set(), underWay: new Set(), work: null }
    lines.set(name, line)
    return line
  }

  /** Of a key; `name`: of the line of that key. */
  const inLine = (name: string, request: Request): Outcome =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.callback<Admission.Admitted, Admission.AdmissionRefusal>((resume) => {
        const line = lineOf(name)
        if (line.waiting.size >= waiting) return resume(full)
        const leave = () => {
          forget()
          line.waiting.delete(waiter)
          if (line.underWay.delete(waiter) && line.underWay.size === 0) line.work?.interruptUnsafe()
        }
        const forget = TimeLimit.alarm(Context.get(context, Clock.Clock), patience, () => {
          leave()
          resume(full)
        })
        const waiter: Waiting = {
          ...request,
          context,
          settle: (outcome) => {
            forget()
            resume(outcome)
          }
        }
        line.waiting.add(waiter)
        if (line.work === null) admitNext(name, line)
        return Effect.sync(leave)
      })
    )

  /** Of a person, or of nobody. */
  const alone = (request: Request): Outcome => {
    const { arrival, claim: { authorization, organization } } = request
    return inTime(clientOf(request), admission.admit({ authorization, organization, ...arrival }))
  }

  return {
    /** Admits a request, which has just arrived, when it is its client's turn. */
    admit: (request: Request, clock: Clock.Clock): Outcome => {
      const { claim, orgId } = request
      usage.arrive(orgId, MonotonicTime.millisOf(clock))
      return claim.digest !== null && Admission.isOfKey(claim.authorization)
        ? inLine(claim.digest, request)
        : alone(request)
    }
  }
}
