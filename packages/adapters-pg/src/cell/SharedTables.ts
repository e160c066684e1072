/**
 * The tables that every installation has alike: what is known of properties, people and firms, whose data that is, what changed
 * about them, and who asked not to be listed. The importing installation writes them, and its cells receive them.
 *
 * The last nine are counted from the others by triggers of statements, which replicated rows do not fire: they come along.
 */
export const sharedTables = [
  "county",
  "property",
  "property_research",
  "firm",
  "property_firm",
  "contact",
  "property_contact",
  "property_change",
  "source",
  "source_county",
  "source_record",
  "suppressed_contact",
  "suppressed_owner",
  "suppressed_property",
  "withheld_property_contact",
  "withheld_property_firm",
  "contact_reach",
  "firm_reach",
  "county_extent",
  "map_cell",
  "map_cell_change",
  "reach_tally",
  "reach_tally_change",
  "title_tally",
  "title_tally_change"
] as const

type SharedTable = typeof sharedTables[number]

/**
 * Of a table that is partly the importing installation's own, the columns that its cells receive. Of a source that is what is
 * said of it; its token, and when it is synced, stay where it is synced.
 */
export const sharedColumns: Partial<Record<SharedTable, ReadonlyArray<string>>> = {
  source: ["name", "document", "added_at", "full_at", "removed_at"]
}

/** The publication of the importing installation. */
export const publication = "freehold"

/** What a cell may be called: it stands in the names of its subscription, of its slot, and in its keys. */
export const cellName = /^[a-z0-9]{1,8}$/

/** The subscription of a cell in its own database, and its replication slot in the importing one. */
export const subscriptionOf = (cell: string): string => `freehold_cell_${cell}`
