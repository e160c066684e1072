/** What a contender that is a process of its own is told, one order a line; it answers how long that took. */
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"

/** In milliseconds. */
export interface Taken {
  /** Until all that is to be sent was written down. */
  readonly making: number
  /** From then until all was sent and recorded. */
  readonly sending: number
}

export interface Order {
  /** The receiver. */
  readonly root: string
  readonly deliveries: number
}

/** Handles orders one after the other, with made-up ids; a failure ends the process. */
export const serveOrders = (
  handle: (order: Order & { readonly ids: (index: number) => string }) => Promise<Taken>
): void => {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const order: Order = JSON.parse(line)
    const made = Array.from({ length: order.deliveries }, () => randomUUID())
    handle({ ...order, ids: (index) => made[index] ?? "" }).then(
      (taken) => process.stdout.write(`${JSON.stringify(taken)}\n`),
      (cause: unknown) => {
        process.stderr.write(`${cause instanceof Error ? cause.stack : String(cause)}\n`)
        process.exit(1)
      }
    )
  }).on("close", () => process.exit(0))
}
