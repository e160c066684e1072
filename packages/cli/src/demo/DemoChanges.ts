/**
 * Recorded changes of the demonstration: made up like its records, and dated back from its first start, so that the
 * changes of the last 30 days are not empty. What each led to is what the records say.
 */
import { DateTime, Duration } from "effect"
import type { DemoScene } from "./DemoScene.ts"

/** Import rows of kind changes. `now`: when the demonstration is made. */
export const make = (
  { contactKey, manager, owner, propertyKeys: [owned, managed], title }: DemoScene,
  now: DateTime.Utc
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const daysAgo = (days: number) => {
    const at = DateTime.subtractDuration(now, Duration.days(days))
    return { detectedAt: DateTime.formatIso(at), effectiveDate: DateTime.formatIsoDateUtc(at) }
  }
  return [
    {
      key: "demo-change-owner",
      kind: "ownership_transfer",
      propertyKey: owned,
      before: { value: "Former Owner Holdings LLC (demo)", owner_type: "private_company" },
      after: { value: owner, owner_type: "private_company" },
      source: "county_record",
      ...daysAgo(2)
    },
    {
      key: "demo-change-manager",
      kind: "manager_change",
      propertyKey: managed,
      before: { value: "Former Property Management (demo)" },
      after: { value: manager },
      source: "research",
      ...daysAgo(5)
    },
    {
      key: "demo-change-title",
      kind: "contact_title_change",
      contactKey,
      before: { value: "Trainee (demo)" },
      after: { value: title },
      source: "web",
      ...daysAgo(9)
    }
  ]
}
