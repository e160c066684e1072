/** What an account costs to be told. */
import { assert, layer } from "@effect/vitest"
import { Caller, type PersonCaller } from "@freehold/core/access/Caller"
import * as AccountReader from "@freehold/core/account/AccountReader"
import { operations } from "@freehold/core/catalogue/Catalogue"
import { Ledger } from "@freehold/core/credit/Ledger"
import { defaults } from "@freehold/core/organization/Organization"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { member, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const organization = { ...defaults("org_account"), plan: "enterprise" as const }

const caller = (monthlyCreditLimit: number | null): PersonCaller => ({
  kind: "person",
  credentialId: "connection",
  label: "assistant",
  clientId: "assistant",
  scopes: ["mcp"],
  organization,
  territory: null,
  requestId: "request",
  member: member({ memberId: "00000000-0000-4000-8000-000000000031", name: "Ana", monthlyCreditLimit })
})

/** What the ledger was asked. */
const asked: Array<string> = []

const watched = Layer.effect(
  Ledger,
  Effect.map(Ledger, (ledger): Ledger["Service"] => ({
    ...ledger,
    transact: (command, decide) => {
      asked.push("transact")
      return ledger.transact(command, decide)
    },
    balance: (...given: Parameters<typeof ledger.balance>) => {
      asked.push("balance")
      return ledger.balance(...given)
    },
    usage: (...given: Parameters<typeof ledger.usage>) => {
      asked.push("usage")
      return ledger.usage(...given)
    }
  }))
)

layer(
  Layer.effectDiscard(Seeder.use((seeder) => seeder.add({ organizations: [organization] }))).pipe(
    Layer.provideMerge(watched),
    Layer.provideMerge(MemoryPorts.layer)
  )
)("what is told of an account", (it) => {
  const read = Effect.fnUntraced(function*(limit: number | null) {
    asked.length = 0
    const reader = yield* AccountReader.make([], Effect.succeed([]))
    const told = yield* Effect.all([reader.balance({}), reader.account({})]).pipe(
      Effect.provideService(Caller, caller(limit))
    )
    return { told, asked: [...asked] }
  })

  it.effect("costs one look at the ledger in the description of a workspace", () =>
    Effect.gen(function*() {
      asked.length = 0
      const reader = yield* AccountReader.make(operations, Effect.succeed([]))
      const { tools_unavailable } = yield* Effect.provideService(reader.workspace({}), Caller, caller(12))
      // Without a free one, and without credits.
      assert.include(tools_unavailable.map(({ name }) => name), "service_get_lead_bundle")
      assert.deepStrictEqual(asked, ["transact"])
    }))

  it.effect("asks for what a member spent only where the member has a limit", () =>
    Effect.gen(function*() {
      const without = yield* read(null)
      assert.deepStrictEqual(without.asked, ["balance", "balance"])
      for (const each of without.told) assert.notProperty(each, "own_limit")
      const limited = yield* read(12)
      assert.deepStrictEqual(limited.asked, ["balance", "usage", "balance", "usage"])
      const own_limit = { limit: 12, spent: 0, remaining: 12, resets_at: "1970-02-01T00:00:00.000Z" }
      for (const each of limited.told) assert.deepInclude(each, { own_limit })
    }))
})
