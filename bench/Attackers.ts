/**
 * The attackers of the availability benchmark, in a process of their own: reads one attack with its order a line from
 * standard input, carries it out and writes what it met as one line.
 *
 * Started to have what others leave of the processors: the attackers share the machine with what they attack, and in life they have
 * machines of their own.
 */
import { carryOut, type Order } from "@freehold/cli/testing/availability/Attack"
import { attacks } from "@freehold/cli/testing/availability/Attacks"
import { existsSync, writeFileSync } from "node:fs"
import { getPriority } from "node:os"
import { createInterface } from "node:readline"

/** One of `attacks`, by its place. */
export interface Command {
  readonly place: number
  readonly order: Order
}

/** The priority of a session, by which Linux goes before it goes by those of processes. */
const ofSession = "/proc/self/autogroup"

if (existsSync(ofSession)) writeFileSync(ofSession, String(getPriority()))

createInterface({ input: process.stdin }).on("line", (line) => {
  const { order, place }: Command = JSON.parse(line)
  const attack = attacks[place]
  if (attack === undefined) throw new Error(`there is no attack ${place}`)
  carryOut(attack, order).then(
    (tally) => process.stdout.write(`${JSON.stringify(tally)}\n`),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    }
  )
})
