/** Every attack that the law of availability is held against. */
import type { Attack } from "./Attack.ts"
import * as Bodies from "./attack/Bodies.ts"
import * as Connections from "./attack/Connections.ts"
import * as HeavyReads from "./attack/HeavyReads.ts"
import * as Writes from "./attack/Writes.ts"

export const attacks: ReadonlyArray<Attack> = [
  ...HeavyReads.attacks,
  ...Connections.attacks,
  ...Bodies.attacks,
  ...Writes.attacks
]
