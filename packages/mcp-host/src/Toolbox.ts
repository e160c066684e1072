/**
 * Runs tools for the caller in context, the same for every transport.
 *
 * | what happens                         | what is answered                                        |
 * | ------------------------------------ | ------------------------------------------------------- |
 * | no such tool                         | error -32602                                            |
 * | the tool is not for this caller      | refusal of `mayUse`, although `list` hides it           |
 * | the plan lacks the tool's part       | refusal FEATURE_GATED                                   |
 * | arguments that fail the schema       | as `MeantArguments` reads them, if they fit then;       |
 * |                                      | else refusal INVALID_ARGUMENTS with the issues          |
 * | the operation refuses                | refusal with code, sentence and detail                  |
 * | a defect                             | error -32603 with the request id; the cause is logged   |
 *
 * Whoever calls it has admitted the caller and asked `permitted` first. decisions, section 15.
 */
import { ScopeRequired } from "@freehold/core/access/AccessRefusals"
import * as Acting from "@freehold/core/access/Acting"
import { type PermissionRefusal, permit, permitFeature } from "@freehold/core/access/Admission"
import { AdminsOnly } from "@freehold/core/access/AppDoor"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { RecordKinds } from "@freehold/core/catalogue/RecordKinds"
import * as Receipt from "@freehold/core/credit/Receipt"
import * as Takings from "@freehold/core/limit/Takings"
import { Workload } from "@freehold/core/load/Workload"
import { excerpt } from "@freehold/core/operation/Excerpt"
import * as MonotonicTime from "@freehold/core/operation/MonotonicTime"
import { nearest } from "@freehold/core/operation/Nearest"
import * as RefusalCount from "@freehold/core/operation/RefusalCount"
import * as Span from "@freehold/core/operation/Span"
import { Cause, Context, Duration, Effect, Layer, Option, Predicate, Result } from "effect"
import { placeOf, synonymsOf } from "./ElsewhereThanTools.ts"
import * as ForetoldRefusal from "./ForetoldRefusal.ts"
import { internalError, invalidParams, RpcError } from "./JsonRpc.ts"
import { meant } from "./MeantArguments.ts"
import * as MistakenId from "./MistakenId.ts"
import { capped, nextStep, sentence } from "./NextStep.ts"
import type { NextStep, RefusedCall } from "./RefusedCall.ts"
import * as ToolLists from "./ToolLists.ts"
import * as ToolResult from "./ToolResult.ts"
import { noRest, type PublishedTool, readings, type Tool, tools } from "./Tools.ts"
import * as Truncation from "./Truncation.ts"

/** The scope `mcp` on the enterprise plan opens every tool; the other scopes are REST's. decisions, section 20. */
export const permitted = (caller: CallerFacts): Effect.Effect<void, PermissionRefusal> =>
  permit(caller, { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" })

/** A tool and what runs it. */
export interface BoundTool {
  readonly tool: Tool
  readonly run: (input: unknown) => Effect.Effect<unknown, ToolResult.Refusal, Caller>
}

/** Reads that page can be asked again for fewer rows, which keeps their cursors right. */
const pages = ({ operation, published: { inputSchema: { properties } } }: Tool): boolean =>
  operation.effect === "read" && Object.hasOwn(properties, "limit") &&
  (Object.hasOwn(properties, "cursor") || Object.hasOwn(properties, "offset"))

/** How the caller of a tool with pages gets what is missing, and no cut the next time. */
const restOfPages = ({ published: { inputSchema: { properties } } }: Tool): string =>
  "Go on as after any page: the next page begins after the last row shown. A smaller limit" +
  `${Object.hasOwn(properties, "fields") ? ", or fewer columns in fields," : ""} avoids the cut.`

/** The result with the list the other way round of which the last rows are kept: a cut keeps the first ones. */
const turned = ({ lastOf }: Tool, result: Record<string, unknown>): Record<string, unknown> => {
  const rows = lastOf === undefined ? undefined : result[lastOf]
  return lastOf !== undefined && Array.isArray(rows) ? { ...result, [lastOf]: rows.toReversed() } : result
}

/** The result of the whole answer, or of as much of it as fits. */
const fitting = (
  { run, tool }: BoundTool,
  input: object,
  result: Record<string, unknown>
): Effect.Effect<ToolResult.ToolResult, ToolResult.Refusal, Caller> => {
  const json = JSON.stringify(result)
  if (!Truncation.mayBeTooLarge(json)) return Effect.succeed(ToolResult.success(result, json))
  const isReadAnew = pages(tool)
  const rest = isReadAnew ? restOfPages(tool) : tool.rest
  const cuttable = turned(tool, result)
  return Effect.flatMap(Truncation.cutsOf(cuttable, { rest, isReadAnew }), (cuts) => {
    if (cuts.length === 0) return Effect.succeed(ToolResult.success(result, json))
    const page = isReadAnew ? cuts.find(({ path }) => path.length === 1) : undefined
    if (page === undefined) {
      // Of what is within a row no page has more.
      const shown = Truncation.truncate(cuttable, cuts, isReadAnew ? noRest : rest)
      return Effect.succeed(ToolResult.success(turned(tool, shown)))
    }
    return Effect.map(
      run({ ...input, limit: page.kept }),
      (anew) => ToolResult.success(Truncation.truncate(Predicate.isObject(anew) ? tool.show(anew) : result, cuts, rest))
    )
  })
}

/** No receipt is told of what costs nothing. */
const nothingTold = { remaining: null, ownRemaining: null }

/** The time within which a request is answered: for what may be left out, it waits no longer. decisions, section 21. */
export const patience = Duration.seconds(10)

/** Every tool's name begins with it, so that it makes none of them alike. */
const prefix = "service_"

const unprefixed = (name: string): string => name.startsWith(prefix) ? name.slice(prefix.length) : name

/** Whether the organization's plan has what the tool is about; a switch that admins set does not hide it. */
const isPlanned = ({ organization: { features } }: CallerFacts, { access: { gate } }: ToolLists.Asked): boolean =>
  gate === null || features[gate]

/** What stands between the credential and the tool, whatever it is asked: a person, a role, a scope, or the plan. */
const mayUse = (caller: CallerFacts, asked: ToolLists.Asked) =>
  Acting.permits(caller, asked).pipe(
    Result.andThen(() => Acting.permitScope(caller, asked)),
    Result.andThen(() => permitFeature(caller, asked.access))
  )

/** Of what is no tool, the scope is REST's, and whom the app offers it holds for people. */
const mayRead = (
  caller: CallerFacts,
  { operation: { access: { app, scope } } }: Tool
): Result.Result<void, AdminsOnly | ScopeRequired> => {
  if (caller.kind !== "key") {
    return app === "admins" && caller.member.role !== "admin" ? Result.fail(new AdminsOnly()) : Result.void
  }
  return scope === null || caller.scopes.includes(scope)
    ? Result.void
    : Result.fail(new ScopeRequired({ scope, granted_by: "admin" }))
}

type Reading = (typeof readings)[number]["operation"]["name"]

export class Toolbox extends Context.Service<Toolbox, {
  /** The tools that are for this caller, in their fixed order. */
  list(caller: CallerFacts): ReadonlyArray<PublishedTool>
  /** Runs one tool. `input` is what the client sent as its arguments. */
  call(name: string, input: unknown): Effect.Effect<ToolResult.ToolResult, RpcError, Caller>
  /** Whether one of `readings`, which are no tools, is for this caller. */
  mayRead(name: Reading, caller: CallerFacts): boolean
  /** Runs one of `readings` as a tool is run. */
  read(
    name: Reading,
    input: object
  ): Effect.Effect<ToolResult.ToolResult, RpcError, Caller>
}>()("@freehold/mcp-host/Toolbox") {
  static readonly make = (
    bound: ReadonlyArray<BoundTool>,
    { within }: Workload["Service"],
    { readable = [], kinds }: {
      readonly readable?: ReadonlyArray<BoundTool>
      /** What an id names that was mistaken for another; absent: nobody is told. */
      readonly kinds?: RecordKinds["Service"]
    } = {}
  ): Toolbox["Service"] => {
    const named = (all: ReadonlyArray<BoundTool>) => new Map(all.map((each) => [each.tool.published.name, each]))
    const [callable, others] = [named(bound), named(readable)]

    /** The step, or who can help where its tool is not for the caller, or is none: what is read as a resource alone. */
    const stepFor = (caller: CallerFacts) => (step: NextStep): NextStep => {
      if (step.tool === undefined) return step
      const found = callable.get(step.tool)
      if (found === undefined) return { ask: "member" }
      const used = mayUse(caller, found.tool.operation)
      if (Result.isSuccess(used)) return step
      const { exampleFor, published: { name: tool } } = found.tool
      const { code, detail } = ToolResult.toldOf(used.failure)
      return nextStep(code, { tool, input: {}, exampleFor, detail }) ?? { ask: "admin" }
    }

    /** Why one of the tools that a text names is not for the caller; undefined: all are. */
    const obstacleIn = (caller: CallerFacts, text: string) => {
      for (const [name] of text.matchAll(/\bservice_\w+/g)) {
        const found = callable.get(name)
        const used = found === undefined ? Result.void : mayUse(caller, found.tool.operation)
        if (Result.isFailure(used)) return { tool: name, ...ToolResult.toldOf(used.failure) }
      }
      return undefined
    }

    /** The note without what it says of tools that are not for the caller, but who can help. */
    const noteFor = (caller: CallerFacts, note: string): string => {
      const told = note.split(/(?<=\.) /).map((text) => ({ text, obstacle: obstacleIn(caller, text) }))
      const said = told.flatMap(({ obstacle, text }) => obstacle === undefined ? [text] : []).join(" ")
      const [obstacle] = told.flatMap((each) => each.obstacle ?? [])
      if (obstacle === undefined) return note
      const { code, detail, tool } = obstacle
      const step = nextStep(code, { tool, input: {}, exampleFor: () => ({}), detail })
      return [said, step === undefined ? "" : sentence(step, { code, said })].filter((each) => each !== "").join(" ")
    }

    /** What the suspect is instead, as far as what takes it is for the caller; what cannot be looked for is not told. */
    const mistakenFor = Effect.fnUntraced(function*(
      call: Pick<RefusedCall, "tool" | "input">,
      suspect: MistakenId.Suspect | undefined
    ) {
      if (suspect === undefined || kinds === undefined) return undefined
      const caller = yield* Caller
      const records = yield* kinds.of(suspect.given).pipe(Effect.orElseSucceed(() => []))
      const mistaken = MistakenId.mistaken(call, suspect, records)
      const taker = callable.get(mistaken?.next.tool ?? "")
      return mistaken === undefined || taker === undefined ||
          Result.isFailure(permitFeature(caller, taker.tool.operation.access))
        ? undefined
        : { ...mistaken, next: capped(mistaken.next) }
    })

    const refusalOf = Effect.fnUntraced(function*(
      { tool: { exampleFor, published: { name: tool } } }: BoundTool,
      given: object,
      /** `since`: when the call came, in milliseconds of the clock that nobody sets. */
      { refused, since }: { readonly refused: ToolResult.Refusal; readonly since: number }
    ) {
      const caller = yield* Caller
      const told = ToolResult.toldOf(refused)
      const call = { tool, input: { ...given }, exampleFor }
      const suspect = MistakenId.suspectOf(told.code, { ...call, detail: told.detail })
      // The place of the call was given back with its refusal, its time was not.
      const left = Duration.subtract(patience, Duration.millis((yield* MonotonicTime.millis) - since))
      const mistaken = suspect === undefined
        ? undefined
        : yield* within("read", mistakenFor(call, suspect)).pipe(
          Effect.timeout(left),
          Effect.orElseSucceed(() => undefined)
        )
      return ToolResult.refusal(told, call, { fit: stepFor(caller), mistaken })
    })

    /** The tool with what it says of its answers for the caller. */
    const noting = ({ run, tool }: BoundTool, caller: CallerFacts): BoundTool => ({
      tool,
      run: (input) =>
        Effect.map(run(input), (answered) => {
          if (!Predicate.isObject(answered)) return answered
          const { note } = { note: undefined, ...answered }
          return typeof note === "string" ? { ...answered, note: noteFor(caller, note) } : answered
        })
    })

    const answer = (bound: BoundTool, input: object) =>
      Effect.contextWith((context: Context.Context<Caller>) => {
        const caller = Context.get(context, Caller)
        const each = noting(bound, caller)
        const receipt = Receipt.listener()
        const records = Takings.listener()
        return each.run(input).pipe(
          Effect.updateContext((outer: Context.Context<Caller>) => records.heard(receipt.heard(outer))),
          Effect.flatMap((answered) => {
            const call = { tool: each.tool.published.name, input: { ...input } }
            const suspect = Predicate.isObject(answered) ? MistakenId.suspectIn(call, answered) : undefined
            return Effect.map(mistakenFor(call, suspect), (mistaken) => ({ answered, mistaken }))
          }),
          Effect.flatMap(({ answered, mistaken }) => {
            const { ownRemaining, remaining } = Option.getOrElse(receipt.told(), () => nothingTold)
            const foretold = mistaken?.next ?? ForetoldRefusal.nextOf(each.tool, input, answered)
            const next = foretold === undefined ? undefined : stepFor(caller)(foretold)
            const shown = each.tool.show({
              ...Predicate.isObject(answered) ? answered : { result: answered },
              ...mistaken === undefined ? {} : { note: mistaken.said },
              ...remaining === null ? {} : { credits_remaining: remaining },
              ...ownRemaining === null ? {} : { own_limit_remaining: ownRemaining },
              ...next === undefined ? {} : { next }
            })
            return fitting(each, input, shown)
          }),
          Effect.map((result) => {
            const taken = records.told()
            return Option.isSome(taken) ? { ...result, _meta: { records: taken.value } } : result
          })
        )
      })

    const run = (each: BoundTool, input: object) =>
      Effect.contextWith((context: Context.Context<Caller>) => {
        const caller = Context.get(context, Caller)
        const { work } = each.tool.operation
        // A page that has to be read again is part of the same call.
        return Effect.fromResult(mayUse(caller, each.tool.operation)).pipe(
          Effect.andThen(within(work, answer(each, input)))
        )
      })

    /** The result, or the refusal as one. */
    const refusing = <R>(
      each: BoundTool,
      input: object,
      result: Effect.Effect<ToolResult.ToolResult, ToolResult.Refusal, R>
    ) =>
      Effect.flatMap(
        MonotonicTime.millis,
        (since) =>
          Effect.catch(result, (refused) =>
            Effect.andThen(RefusalCount.count("mcp", refused._tag), refusalOf(each, input, { refused, since })))
      )

    /** The same; a defect is an error with the request's id. */
    const told = <R>(
      each: BoundTool,
      input: object,
      result: Effect.Effect<ToolResult.ToolResult, ToolResult.Refusal, R>
    ): Effect.Effect<ToolResult.ToolResult, RpcError, R | Caller> =>
      refusing(each, input, result).pipe(
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          Effect.fnUntraced(function*(cause) {
            const { requestId } = yield* Caller
            yield* Effect.logError("a tool call failed", cause).pipe(
              Effect.annotateLogs({ tool: each.tool.published.name, requestId })
            )
            return yield* new RpcError({
              code: internalError,
              reason: "Internal error",
              data: { request_id: requestId }
            })
          })
        ),
        Span.annotated({ tool: each.tool.published.name })
      )

    const list = ToolLists.make(
      bound.map(({ tool }) => tool),
      (caller: CallerFacts, asked) => isPlanned(caller, asked) && Acting.isFor(caller, asked)
    )

    const unknownTool = (name: string) =>
      Effect.flatMap(Caller, (caller) => {
        const place = placeOf(unprefixed(name))
        const shown = list(caller).map((tool) => unprefixed(tool.name))
        const like = [unprefixed(name), ...synonymsOf(unprefixed(name))].find((each) => shown.includes(each)) ??
          nearest(unprefixed(name), shown)
        const meant = place !== undefined ? `; ${place}` : like === undefined ? "" : `; did you mean ${prefix}${like}?`
        return Effect.fail(new RpcError({ code: invalidParams, reason: `Unknown tool: ${excerpt(name)}${meant}` }))
      })

    return Toolbox.of({
      list,
      call: (name, input) => {
        const found = callable.get(name)
        if (found === undefined) return unknownTool(name)
        if (input !== undefined && !Predicate.isObject(input)) {
          return Effect.fail(new RpcError({ code: invalidParams, reason: "Expected arguments to be an object" }))
        }
        const given = meant(found.tool, { ...input })
        return Span.named("Toolbox.call")(told(found, given, run(found, given)))
      },
      mayRead: (name, caller) => {
        const found = others.get(name)
        return found !== undefined && Result.isSuccess(mayRead(caller, found.tool))
      },
      read: Effect.fn("Toolbox.read")(function*(name, input) {
        const found = others.get(name)
        if (found === undefined) return yield* Effect.die(new Error(`${name} is no reading`))
        const permitted = Effect.flatMap(Caller, (caller) => Effect.fromResult(mayRead(caller, found.tool)))
        return yield* told(found, input, Effect.andThen(permitted, run(found, input)))
      })
    })
  }

  static readonly layer = Layer.effect(
    Toolbox,
    Effect.gen(function*() {
      const catalogue = yield* Catalogue
      return Toolbox.make(
        tools.map((tool): BoundTool => ({ tool, run: catalogue[tool.operation.name] })),
        yield* Workload,
        {
          readable: readings.map((tool): BoundTool => ({ tool, run: catalogue[tool.operation.name] })),
          kinds: yield* RecordKinds
        }
      )
    })
  )
}
