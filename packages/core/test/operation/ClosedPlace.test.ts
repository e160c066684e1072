/** What a member is told of a place beyond their territory, by every operation: nothing. Those without a tool are asked, too. */
import { assert, layer as suite } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Catalogue, type CatalogueOperation, operations } from "@freehold/core/catalogue/Catalogue"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import { Researcher } from "@freehold/core/research/Researcher"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { Seeder } from "@freehold/core/testing/Seed"
import { Duration, Effect, Layer } from "effect"

const { callerOf, members, orgId } = ClosedPlace

type OperationName = CatalogueOperation["name"]

const arrange = Effect.gen(function*() {
  yield* Seeder.use((seeder) => seeder.add(ClosedPlace.seed))
  yield* SampleGrant.grant(orgId, 1000, { ref: "welcome" })
})

/** Knows what was imported, and comes to no end of what nobody has read beyond the territory. */
const researcher = Layer.effect(
  Researcher,
  Effect.map(ImportedResearcher.make, ({ research }) =>
    Researcher.of({
      research: (job) =>
        job.subjectId === ClosedPlace.unread.far ? Effect.succeed({ _tag: "Taken" as const }) : research(job)
    }))
)

const ports = Layer.merge(
  Catalogue.layer,
  ResearchRunner.layer(ResearchRunner.settingsOf({ poll: Duration.millis(20) })).pipe(Layer.provide(researcher))
).pipe(
  Layer.provideMerge(Layer.effectDiscard(arrange)),
  Layer.provide(MemoryPorts.layer),
  Layer.provide(TemplateDrafter.layer)
)

const ask = (member: (typeof members)[keyof typeof members]): ClosedPlace.Ask<Catalogue> => (name, input) =>
  Catalogue.use((catalogue): Effect.Effect<unknown, { readonly _tag: string; readonly message: string }, Caller> =>
    catalogue[name](input)
  ).pipe(
    Effect.catch((refusal) => Effect.succeed({ ...refusal, code: refusal._tag, message: refusal.message })),
    Effect.provideService(Caller, callerOf(member))
  )

suite(ports, { excludeTestServices: true })("a place beyond a member's territory", (it) => {
  it.effect("is told by no operation, and by some to who sees it (T1)", () =>
    Effect.gen(function*() {
      const names = operations.map(({ name }) => name)
      const { leaks, shown, told } = yield* ClosedPlace.crawl(ask(members.whole), ask(members.within), names)
      assert.deepStrictEqual(leaks, [])
      for (const fact of ClosedPlace.found) assert.include(shown, fact)
      const batch = { property_ids: [ClosedPlace.unread.near], maxCredits: 10 }
      const refused = { code: "BATCH_ALREADY_RUNNING", run_id: null }
      assert.deepInclude(yield* ask(members.within)("service_research_properties", batch), refused)
      assert.deepStrictEqual(ClosedPlace.words.filter((word) => !told.has(word)), [])
    }))
})

suite(ports, { excludeTestServices: true })(
  "what is asked by a name that is kept beyond a member's territory",
  (it) => {
    it.effect("is answered as by a name of nobody, so that no name is found out", () =>
      Effect.gen(function*() {
        const answerTo = (name: OperationName, input: (word: string) => object) => (word: string) =>
          Effect.map(ask(members.within)(name, input(word)), (told) => JSON.stringify(told).replaceAll(word, "word"))
        for (
          const [name, kept, input] of [
            ["service_find_contacts", "zanzilperson", (query) => ({ query })],
            ["service_find_contacts", "zanzilemployer", (query) => ({ query })],
            ["service_browse_contacts", "zanzilemployer", (employerText) => ({ employerText })],
            ["service_browse_contacts", "zanziltitle", (titleText) => ({ titleText })],
            ["service_browse_organizations", "zanzilfirm", (query) => ({ query })],
            ["service_search_properties", "zanzilstreet", (query) => ({ query })],
            ["service_search_properties", "zanzilcity", (city) => ({ filters: { cities: [city] } })]
          ] satisfies ReadonlyArray<readonly [OperationName, string, (word: string) => object]>
        ) {
          const answer = answerTo(name, input)
          assert.strictEqual(
            yield* answer(kept),
            yield* answer("quxquxquxqux".slice(0, kept.length)),
            `${name} ${kept}`
          )
        }
        const { note } = yield* ask(members.whole)("service_find_contacts", { query: "zanzilperson" })
        assert.isNull(note)
      }))
  }
)

suite(ports, { excludeTestServices: true })("a list with a place beyond a member's territory", (it) => {
  it.effect("counts for the member what lies in it, and gives up nothing else", () =>
    Effect.gen(function*() {
      const [whole, within] = [ask(members.whole), ask(members.within)]
      const { list_id, outside } = ClosedPlace.list
      const counted = Effect.fnUntraced(function*(ask: typeof whole) {
        const { lists: [listed] } = yield* ask("service_list_lists", {})
        const { list, total } = yield* ask("service_get_list_items", { list_id })
        return [listed.item_count, list.item_count, total]
      })
      assert.deepStrictEqual(yield* counted(whole), [2, 2, 2])
      assert.deepStrictEqual(yield* counted(within), [1, 1, 1])
      const remove = { list_id, item_ids: [outside] }
      assert.deepInclude(yield* within("service_remove_from_list", remove), { removed: 0, not_in_list: 1 })
      assert.deepInclude(yield* whole("service_remove_from_list", remove), { removed: 1, not_in_list: 0 })
    }))
})

suite(ports, { excludeTestServices: true })(
  "a batch of research about places in and beyond a member's territory",
  (it) => {
    it.effect("is followed by the member as far as the territory goes", () =>
      Effect.gen(function*() {
        const [whole, within] = [ask(members.whole), ask(members.within)]
        const { far: first, near: second } = ClosedPlace.unread
        const batch = { property_ids: [first, second], maxCredits: 20 }
        const { run_id } = yield* whole("service_research_properties", batch)
        // Who sees a part of the batch that is running is told its name.
        const another = { property_ids: [ClosedPlace.openFromAfar.locked], maxCredits: 10 }
        const running = { code: "BATCH_ALREADY_RUNNING", run_id }
        assert.deepInclude(yield* within("service_research_properties", another), running)
        const status = (ask: typeof whole) => ask("service_get_research_status", { run_id })
        assert.strictEqual((yield* status(whole)).counts.total, 2)
        const { counts, credits_charged, items } = yield* status(within)
        assert.deepStrictEqual([counts.total, credits_charged], [1, 10])
        assert.deepStrictEqual(items.map(({ subject_id }: { readonly subject_id: string }) => subject_id), [second])
        const far = yield* whole("service_research_property", { id: ClosedPlace.list.outside })
        assert.deepInclude(yield* within("service_get_research_status", { run_id: far.run_id }), { code: "NOT_FOUND" })
      }))
  }
)

suite(ports, { excludeTestServices: true })("a person whom a place beyond a member's territory opened", (it) => {
  it.effect("is written about once the member's own place is unlocked, and nothing is charged before", () =>
    Effect.gen(function*() {
      const within = ask(members.within)
      const { contact_id, locked } = ClosedPlace.openFromAfar
      const refused = { code: "PROPERTY_UNLOCK_REQUIRED", property_id: locked }
      for (const name of ["service_deep_research_contact", "service_draft_email"] as const) {
        assert.deepInclude(yield* within(name, { contact_id }), refused)
      }
      const priced = { action: "deep_research_contact", contact_id }
      assert.deepInclude(yield* within("service_price_research", priced), { refused: refused.code })
      yield* within("service_reveal_property", { id: locked })
      const { credits_charged, property_id } = yield* within("service_deep_research_contact", { contact_id })
      assert.deepStrictEqual([credits_charged, property_id], [10, locked])
    }))
})
