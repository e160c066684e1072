/**
 * The lists of tools that callers are shown, with their JSON, each made once.
 *
 * Tools that ask the same of their callers are shown to the same callers, so a list is known by which of these groups are in
 * it; whatever of a caller the rules look at, two callers share a list only if it holds the same tools.
 */
import type { AnyOperation } from "@freehold/core/operation/Operation"
import * as KeptJson from "./KeptJson.ts"
import type { PublishedTool, Tool } from "./Tools.ts"

/** What of an operation decides whether a caller is shown it. */
export type Asked = Pick<AnyOperation, "access" | "effect">

/** Plans, switches, roles and scopes make a few dozen; a list has some ten thousand characters. */
const maximumLists = 64

const keyOf = ({ access, effect }: Asked): string => JSON.stringify([effect, Object.entries(access).toSorted()])

/** `isShown`: whether a caller is shown what asks this of it. */
export const make = <Caller>(tools: ReadonlyArray<Tool>, isShown: (caller: Caller, asked: Asked) => boolean) => {
  const groups = Array.from(new Map(tools.map(({ operation }) => [keyOf(operation), operation])))
  const lists = new Map<string, ReadonlyArray<PublishedTool>>()

  const listOf = (shown: string) => {
    const keys = new Set(groups.flatMap(([key], index) => shown[index] === "1" ? [key] : []))
    return KeptJson.keep(tools.flatMap(({ operation, published }) => keys.has(keyOf(operation)) ? [published] : []))
  }

  return (caller: Caller): ReadonlyArray<PublishedTool> => {
    const shown = groups.map(([, asked]) => isShown(caller, asked) ? "1" : "0").join("")
    const known = lists.get(shown)
    if (known !== undefined) return known
    const made = listOf(shown)
    if (lists.size >= maximumLists) lists.clear()
    lists.set(shown, made)
    return made
  }
}
