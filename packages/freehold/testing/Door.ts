/** What a run of tests has made once, when the first file asks for it: few need all of it, and some take seconds to make. */
import { once } from "node:events"
import { createServer } from "node:http"

export interface Door {
  /** Where it is asked for. */
  readonly url: string
  readonly close: () => void
}

/** Answers with what `make` does, which runs at most once. */
export const open = async (make: () => Promise<string>): Promise<Door> => {
  let made: Promise<string> | undefined
  const server = createServer((_, response) => {
    made ??= make()
    made.then(
      (text) => response.end(text),
      (cause: unknown) => response.writeHead(500).end(String(cause))
    )
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

/** Waits until it is made. */
export const ask = async (url: string): Promise<string> => {
  const answer = await fetch(url)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
