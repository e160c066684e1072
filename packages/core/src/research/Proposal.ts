/** What a proposer may say about pages that it was shown. It counts for nothing before `Claims` has looked at it. */
import { Schema } from "effect"
import { RoleType } from "../contact/Contact.ts"
import { BeneficialOwnerType } from "../property/Research.ts"

const Short = Schema.String.check(Schema.isMaxLength(200))

const said = {
  /** The number of the page, from 1. */
  page: Schema.Int,
  quote: Schema.String.check(Schema.isMaxLength(2000))
}

const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** One thing that is said to stand on a page. */
export const Proposal = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("manager"), ...said, name: Short }),
  Schema.Struct({ kind: Schema.Literal("owner"), ...said, name: Short, owner_type: maybe(BeneficialOwnerType) }),
  Schema.Struct({
    kind: Schema.Literal("person"),
    ...said,
    name: Short,
    title: Short,
    role: RoleType,
    email: maybe(Short),
    phone: maybe(Short)
  }),
  Schema.Struct({ kind: Schema.Literal("firm"), ...said, phone: Short })
])
export type Proposal = typeof Proposal.Type

export type ProposalKind = Proposal["kind"]
