/** What `freehold doctor` says of cells: how this one receives, or how those of this importing installation do. */
import * as Move from "@freehold/adapters-pg/cell/Move"
import * as Publication from "@freehold/adapters-pg/cell/Publication"
import { subscriptionOf } from "@freehold/adapters-pg/cell/SharedTables"
import * as Subscription from "@freehold/adapters-pg/cell/Subscription"
import { Effect, Option } from "effect"
import { Settings } from "./Settings.ts"

interface CellFinding {
  readonly check: "cell"
  readonly outcome: "ok" | "fault"
  readonly detail: string
}

const finding = (outcome: CellFinding["outcome"], detail: string): CellFinding => ({ check: "cell", outcome, detail })

/** Bytes of the log that PostgreSQL keeps for a cell, beyond which something is wrong with it. */
const mostBehind = 1e9

const ofCell = Effect.fnUntraced(function*(cell: Subscription.Receiving) {
  const { importerUrl } = yield* Settings
  const { applyErrors, cell: name, copied, enabled, missing, outrunning, promoted, receiving, tables, unsettled } = cell
  if (!enabled && tables === 0) {
    // A dump has the subscription, and not how far each of its tables was.
    return finding(
      "fault",
      `the cell ${name} was restored, and what it has missed does not come to it any more; see scaling.md, Restoring a cell`
    )
  }
  if (promoted) {
    return finding(
      "fault",
      `the server of the cell ${name} was promoted or restored, and what the one before had received last does not come again; `
        + `if it lacks nothing of that, say so: freehold cell join ${name} --nothing-lost; else see scaling.md, Restoring a cell`
    )
  }
  if (!enabled) {
    return finding(
      "fault",
      `the subscription of the cell ${name} is disabled; let it go on with: `
        + `ALTER SUBSCRIPTION ${subscriptionOf(name)} ENABLE`
    )
  }
  if (!receiving) {
    return finding(
      "fault",
      `the cell ${name} receives nothing, after ${applyErrors} errors; PostgreSQL's log says why, and it tries on by itself, `
        + "unless the doctor of the importing installation says that it is lost"
    )
  }
  if (Option.isNone(importerUrl)) {
    return finding(
      "fault",
      `FREEHOLD_IMPORTER_URL is not set, so the cell ${name} can neither suppress, merge nor research`
    )
  }
  if (missing.length > 0) {
    return finding(
      "fault",
      `the cell ${name} does not receive ${missing.join(", ")}; `
        + `run freehold cell publish at the importing installation, and then here: freehold cell join ${name}`
    )
  }
  if (outrunning) {
    return finding(
      "fault",
      `the cell ${name} waits for no standby of those in synchronous_standby_names, and one that is promoted would lack something; `
        + `let it wait: freehold cell join ${name}`
    )
  }
  return finding(
    "ok",
    `${name} receives; ${copied} of ${tables} tables are copied, ${unsettled} arrivals are unsettled`
  )
})

const ofImporter = ({ behind, name, receiving }: Publication.CellStanding) => {
  if (behind === null) {
    return finding(
      "fault",
      `the cell ${name} is lost: PostgreSQL has no log for it any more; see scaling.md, Restoring a cell`
    )
  }
  const megabytes = `${(behind / 1e6).toFixed(1)} MB behind`
  if (!receiving) return finding("fault", `the cell ${name} is not connected, ${megabytes}`)
  return finding(behind > mostBehind ? "fault" : "ok", `the cell ${name} receives, ${megabytes}`)
}

/** Nothing where there is neither a cell nor one that imports for others. */
export const cells = Effect.gen(function*() {
  const own = yield* Subscription.receiving
  const others = yield* Publication.cells
  const unpublished = yield* Publication.unpublished
  const moves = yield* Move.underWay
  return [
    ...own === null ? [] : [yield* ofCell(own)],
    ...others.map(ofImporter),
    ...unpublished.length === 0 ? [] : [finding(
      "fault",
      `the cells do not receive ${unpublished.join(", ")}; run: freehold cell publish, `
        + "and then in each of them: freehold cell join NAME"
    )],
    ...moves.map(({ orgId, to }) =>
      finding(
        "fault",
        `${orgId} is on its way to the cell ${to} and answered 503; end it with: freehold cell move ${orgId} --to ${to}`
      )
    )
  ]
})
