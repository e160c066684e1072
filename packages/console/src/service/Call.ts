/**
 * Asking the server for an operation. What goes in and comes out is typed by the operations of core, of which only types
 * come along; a refusal is thrown as `Refused`, with its code and detail.
 */
import type { OfferedOperation } from "@freehold/core/catalogue/AppCatalogue"
import type { OperatorOperation } from "@freehold/core/catalogue/OperatorCatalogue"
import type { Whole } from "@freehold/core/property/PropertyOperations"
import type { AppRefusal } from "@freehold/http-host/console/AppAnswer"

type AnyOperation = OfferedOperation | OperatorOperation

export type OperationName = AnyOperation["name"]

type Named<Name extends OperationName> = Extract<AnyOperation, { readonly name: Name }>

export type Input<Name extends OperationName> = Named<Name>["input"]["Encoded"]

/** The app chooses no columns of a search. */
export type Output<Name extends OperationName> = Whole<Named<Name>["output"]["Encoded"]>

/** The codes of the server, and those that a screen meets without one. */
export type RefusalCode = AppRefusal["_tag"] | "FOREIGN_ORIGIN" | "OFFLINE" | "FAULT" | "LOST" | "CHARGE_UNKNOWN"

export class Refused extends Error {
  readonly code: RefusalCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** What a call charged, and the credits that are left; null: it did not need to look. */
export interface Receipt {
  readonly charged: number
  readonly remaining: number | null
  /** The numbers of its charges in the ledger. */
  readonly entries: ReadonlyArray<number>
}

export interface Answered<Name extends OperationName> {
  readonly data: Output<Name>
  readonly receipt: Receipt | null
}

/** What the server answers, in the shape of the operation: its own tests hold it to that. */
interface Body<Data> {
  readonly data: Data
  readonly receipt?: Receipt
  readonly refusal?: { readonly code: RefusalCode; readonly message: string }
  /** It is the service that answers, with what broke in it. */
  readonly success?: false
}

const read = async <Data>(response: Response): Promise<Partial<Body<Data>>> => {
  try {
    return await response.json()
  } catch {
    return {}
  }
}

const hasData = <Data>(body: Partial<Body<Data>>): body is Body<Data> => body.data !== undefined

/** Whoever asks for what costs credits says how many they agree to. */
const spends = (input: unknown): boolean => typeof input === "object" && input !== null && "maxCredits" in input

/** The service itself did not answer: what it was asked for, it may have done. */
const unanswered = (input: unknown, otherwise: Refused): Refused =>
  spends(input) ? new Refused("CHARGE_UNKNOWN", "It is not known whether it was charged.") : otherwise

const send = async <Data>(path: string, input: unknown, signal?: AbortSignal): Promise<Body<Data>> => {
  const isFile = input instanceof Blob
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": isFile ? "application/octet-stream" : "application/json" },
    body: isFile ? input : JSON.stringify(input),
    ...signal === undefined ? {} : { signal }
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw unanswered(input, new Refused("OFFLINE", "The server cannot be reached."))
  })
  const body = await read<Data>(response)
  if (body.refusal !== undefined) {
    const { code, message, ...detail } = body.refusal
    throw new Refused(code, message, detail)
  }
  if (hasData(body)) return body
  if (body.success === undefined) throw unanswered(input, new Refused("LOST", "The answer was lost on its way."))
  throw new Refused("FAULT", "Something went wrong on our side.", {
    requestId: response.headers.get("service-request-id")
  })
}

/** Calls an operation; `signal` gives it up. */
export const call = async <const Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal
): Promise<Answered<Name>> => {
  const door = name.startsWith("operator_") ? "/console/operator" : "/console"
  const { data, receipt = null } = await send<Output<Name>>(`${door}/${name}`, input, signal)
  return { data, receipt }
}

/** Asks a door that is no operation, and answers nothing. A `Blob` goes as it is. */
export const post = async (path: string, input: unknown): Promise<void> => {
  await send(path, input)
}

/** Answers where to sign out of the authorization server too; null: nowhere. */
export const signOut = async (): Promise<string | null> => {
  const { data } = await send<{ readonly leave: string | null }>("/console/sign-out", {})
  return data.leave
}

/** Goes on in another organization of whoever is signed in. */
export const changeOrganization = async (orgId: string): Promise<void> => {
  await send("/console/change", { org_id: orgId })
}
