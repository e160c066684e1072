/** `Seeder` over the state in memory. */
import { Array, Effect, Layer } from "effect"
import { MemoryState } from "../memory/MemoryState.ts"
import { change, freshLead, ledgerOf, Seeder } from "./Seed.ts"

/** Adds one value to the list under a key. */
const push = <A>(map: Map<string, ReadonlyArray<A>>, key: string, value: A): void => {
  map.set(key, [...map.get(key) ?? [], value])
}

/** `Seeder` for the ports in memory. */
export const layer: Layer.Layer<Seeder, never, MemoryState> = Layer.effect(
  Seeder,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Seeder.of({
      clear: Effect.sync(() => {
        for (const part of Object.values(state)) {
          if (Array.isArray(part)) part.splice(0)
          else if (part instanceof Map || part instanceof Set) part.clear()
        }
      }),
      add: Effect.fn("Seeder.add")((seed) =>
        Effect.sync(() => {
          for (const organization of seed.organizations ?? []) {
            state.organizations.set(organization.org_id, organization)
          }
          const firms = new Map(seed.firms?.map((firm) => [firm.id, firm]))
          for (const { phone: _, websiteUrl: __, ...firm } of seed.firms ?? []) state.firmRecords.set(firm.id, firm)
          for (const { attributionType, firmId, propertyId, role } of seed.propertyFirms ?? []) {
            const firm = firms.get(firmId)
            if (firm === undefined) continue
            const { crunchbaseUrl: _, facebookUrl: __, twitterUrl: ___, ...attached } = firm
            push(state.firms, propertyId, { ...attached, role, attributionType })
          }
          for (const property of seed.properties ?? []) {
            const attached = [...state.firms.get(property.id) ?? []].sort((left, right) => left.id < right.id ? -1 : 1)
            state.properties.set(property.id, {
              ...property,
              researchedAt: property.research?.researchedAt ?? null,
              lastEnrichedAt: property.research?.researchedAt ?? null,
              hasBeneficialOwner: property.research !== null && property.research.beneficialOwner !== null,
              hasManagementCompany: property.research !== null && property.research.managementCompany !== null,
              source: null,
              primaryOrganizationId: attached.find((firm) =>
                firm.role === "owner" && firm.attributionType === "county_record"
              )?.id ?? null,
              managementOrganizationId: attached.find((firm) =>
                firm.role === "property_manager" && firm.attributionType === "management_research"
              )?.id ?? null
            })
          }
          for (const contact of seed.contacts ?? []) {
            const firmName = contact.firmId === null ? null : firms.get(contact.firmId)?.name ?? null
            state.contacts.set(contact.id, { ...contact, firmName })
          }
          state.propertyContacts.push(...seed.relationships ?? [])
          for (
            const [orgId, accesses] of Object.entries(Array.groupBy(seed.accesses ?? [], (access) =>
              access.orgId))
          ) {
            const ledger = ledgerOf(accesses)
            const records = (kind: "property" | "contact") =>
              new Map(
                ledger.accesses.filter((access) => access.kind === kind)
                  .map(({ chargeEntry, id, source }) => [id, { source, chargeEntry }])
              )
            state.accounts.set(orgId, {
              entries: ledger.entries,
              grants: new Map(ledger.grant === null ? [] : [[ledger.grant.ref, ledger.grant]]),
              properties: records("property"),
              contacts: records("contact"),
              mergedCharges: new Map(),
              own: new Map(),
              exports: new Map(),
              usage: new Map()
            })
          }
          for (const { orgId, ...lead } of seed.leads ?? []) {
            state.leads.set(`${orgId} ${lead.propertyId}`, { ...freshLead, ...lead })
          }
          for (const { orgId, propertyId, ...note } of seed.notes ?? []) {
            push(state.notes, `${orgId} ${propertyId}`, { ...note, authorId: null })
          }
          for (const { orgId, propertyId, ...task } of seed.tasks ?? []) {
            push(state.tasks, `${orgId} ${propertyId}`, { ...task, assigneeId: null })
          }
          for (const { orgId, propertyId, status } of seed.customers ?? []) {
            state.customerAccounts.set(`${orgId} ${propertyId}`, status)
          }
          for (const { orgId, ...member } of seed.members ?? []) push(state.members, orgId, member)
          state.changes.push(...(seed.changes ?? []).map(change))
          for (const { id, orgId, propertyIds } of seed.lists ?? []) {
            const createdAt = Date.parse("2026-01-01T00:00:00Z")
            state.lists.set(`${orgId} ${id}`, {
              id,
              orgId,
              name: id,
              type: "properties",
              visibility: "team",
              ownerId: null,
              ownerName: "Sample Member",
              sharedWith: [],
              createdAt,
              items: new Map(propertyIds.map((propertyId) => [propertyId, createdAt]))
            })
          }
        })
      )
    })
  })
)
