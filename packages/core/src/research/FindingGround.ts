/**
 * What the records already say about the subject of a job: what a finder starts from, and holds against what it finds.
 *
 * Nothing in it is masked: it is for the work on a run, and only what that may deliver reaches anybody.
 */
import { Context, type Effect, type Option } from "effect"
import type { EmailValidationStatus, RoleType } from "../contact/Contact.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { ResearchJob } from "./ResearchRun.ts"

/** Where a firm's record comes from when a source brought it. */
export interface Register {
  readonly title: string
  readonly publisher: string
  /** Of the dataset. */
  readonly address: string
  /** ISO-8601: when the source was last read. */
  readonly readAt: string
}

export interface GroundFirm {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly domain: string | null
  readonly websiteUrl: string | null
  readonly phone: string | null
  /** Null: imported by hand. */
  readonly register: Register | null
}

export interface GroundProperty {
  readonly id: string
  readonly key: string
  readonly address: string | null
  readonly commonName: string | null
  /** The owners of record; none while an owner is withheld. */
  readonly owners: ReadonlyArray<string>
  readonly managementCompany: string | null
  readonly beneficialOwner: string | null
}

export interface GroundPerson {
  readonly id: string
  readonly fullName: string
  readonly doNotContact: { readonly email: boolean; readonly phone: boolean }
}

export interface Ground {
  /** Of research of a property. */
  readonly property: GroundProperty | null
  /** Of research of a person. */
  readonly person: GroundPerson | null
  /**
   * The firm that is the subject or the person's; of a property those tied to it, owners and managers first, and those of a
   * source that have the name of an owner of record. At most `mostFirms`.
   */
  readonly firms: ReadonlyArray<GroundFirm>
  /** The property, or those of the firm that is researched: the keys by id, at most `mostPlaces`. */
  readonly places: ReadonlyArray<string>
}

/** Firms of a ground. */
export const mostFirms = 4

/** Places of a ground. */
export const mostPlaces = 200

/** Somebody whom a finder found. */
export interface FoundPerson {
  readonly firmId: string
  /** The firm's. */
  readonly domain: string | null
  readonly name: string
  readonly email: string | null
  /** Under which the person would be loaded if there is no record yet. */
  readonly key: string
}

export interface GroundTie {
  readonly propertyKey: string
  readonly role: RoleType | null
  readonly relationshipStatus: string
  readonly attributionType: string
}

/** Whether there is a record of the person. */
export type Acquaintance =
  | { readonly _tag: "New" }
  /** Asked not to be listed, or was erased. */
  | { readonly _tag: "Barred" }
  | {
    readonly _tag: "Known"
    readonly id: string
    readonly key: string
    readonly title: string | null
    readonly email: string | null
    readonly emailValidationStatus: EmailValidationStatus
    readonly phone: string | null
    readonly doNotContact: { readonly email: boolean; readonly phone: boolean }
    readonly ties: ReadonlyArray<GroundTie>
  }

/** Port: what the records say about the subject of a job. Each method is one round trip. */
export class FindingGround extends Context.Service<FindingGround, {
  /** None: there is no such subject any more, or it asked not to be listed. */
  of(
    job: Pick<ResearchJob, "action" | "subjectId">
  ): Effect.Effect<Option.Option<Ground>, TemporarilyUnavailable>

  /**
   * Each of the people, in their order: by the key; else by the name, whatever its case, with the firm, its domain or the
   * email. Whoever asked not to be listed is known by the email alone, too. Of several records it is that of `personId`,
   * whom the job is about; null: it is about nobody.
   */
  acquaintances(
    people: ReadonlyArray<FoundPerson>,
    personId: string | null
  ): Effect.Effect<ReadonlyArray<Acquaintance>, TemporarilyUnavailable>
}>()("@freehold/core/research/FindingGround") {}
