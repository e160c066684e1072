/** The laws of credits over the ports in memory. `FREEHOLD_LAW_RUNS` is the number of cases of each law. */
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import type { LedgerPorts } from "@freehold/core/testing/LedgerCommands"
import { Elsewhere, ledgerLaws, ledgerSchedules } from "@freehold/core/testing/LedgerLaws"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Effect, Layer } from "effect"

const runs = Number(process.env["FREEHOLD_LAW_RUNS"] ?? 200)

const ports = Layer.mergeAll(
  BundleSourceMemory.layer,
  ContactsMemory.layer,
  LedgerMemory.layer,
  OrganizationsMemory.layer,
  PropertiesMemory.layer,
  SeederMemory.layer
).pipe(Layer.provide(MemoryState.layer))

// The turns of a ledger in memory are those of one application.
const elsewhere = Layer.effect(Elsewhere, Effect.context<LedgerPorts>())

ledgerLaws("memory", elsewhere.pipe(Layer.provideMerge(ports)), { runs })
ledgerSchedules("memory", ports, { runs })
