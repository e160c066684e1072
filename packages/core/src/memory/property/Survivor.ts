/** The property, or the one that it was merged into. */
import type { State, StoredProperty } from "../MemoryState.ts"

export const survivorOf = (state: State, propertyId: string | null | undefined): StoredProperty | undefined => {
  const property = state.properties.get(propertyId ?? "")
  return state.properties.get(property?.retiredInto ?? "") ?? property
}
