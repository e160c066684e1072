/** What the tabs of one browser tell each other, which have one session together. */

/** `session`: who is signed in by now, and where; `operator`: who in the operator's area; null: nobody. */
export type News =
  | { readonly kind: "spent" }
  | { readonly kind: "session" | "operator"; readonly of: string | null }

const channel = new BroadcastChannel("freehold")

/** Tells the other tabs. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
export const tellTabs = (news: News): void => channel.postMessage(news)

/** Listens to the other tabs, until what it answers is called. */
export const onNews = (hear: (news: News) => void): () => void => {
  const listener = ({ data }: MessageEvent<News>) => hear(data)
  channel.addEventListener("message", listener)
  return () => channel.removeEventListener("message", listener)
}
