/** The bare loop: signed POSTs over kept connections and nothing else. What is left to a queue of the same machine. */
import { serveOrders } from "./Orders.ts"
import * as SignedPost from "./SignedPost.ts"

serveOrders(async ({ deliveries, ids, root }) => {
  const post = SignedPost.make(root)
  let next = 0
  const begun = performance.now()
  const sender = async () => {
    while (next < deliveries) {
      const index = next++
      const status = await post(ids(index), SignedPost.pathOf(index))
      if (status !== 200) throw new Error(`answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: SignedPost.atOnce }, sender))
  return { making: 0, sending: performance.now() - begun }
})
