/** Lists in words. */
import type { Output } from "../service/Call.ts"

/** A list with what may be done with it. */
export type KeptList = Output<"app_get_list">

export const types = { properties: "Properties", contacts: "People" } as const

export type ListType = keyof typeof types

export const isType = (value: string | null): value is ListType => value !== null && Object.hasOwn(types, value)

const sights: Readonly<Record<KeptList["visibility"], string>> = {
  private: "its owner",
  shared: "its owner and some of the team",
  team: "the team"
}

export const sightOf = (visibility: KeptList["visibility"]): string => sights[visibility]
