/** How the latest deliveries to an endpoint went, in a sentence. */
import { joined } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

type Delivery = Output<"service_list_webhook_deliveries">["deliveries"][number]

export const tallyOf = (deliveries: ReadonlyArray<Pick<Delivery, "state" | "next_attempt_at">>): string => {
  const [delivered = 0, underWay = 0] = ["delivered", "delivering"].map((of) =>
    deliveries.filter(({ state }) => state === of).length
  )
  const waiting = deliveries.filter(({ next_attempt_at, state }) => next_attempt_at !== null && state !== "delivering")
  const ended = deliveries.length - delivered - underWay - waiting.length
  return joined([
    `${delivered} arrived`,
    underWay === 0 ? null : `${underWay} under way`,
    `${waiting.length} wait`,
    `${ended} failed for good or were cancelled.`
  ])
}
