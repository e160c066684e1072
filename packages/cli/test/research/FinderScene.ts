/** The site of a made-up firm, and a language model that says what the test wants, both on loopback. */
import { buffer } from "node:stream/consumers"
import { listening } from "../Loopback.ts"

/** Pages by their paths; what is asked of it is kept. */
export const startSite = async (pages: (path: string) => string | undefined) => {
  const asked: Array<string> = []
  const server = await listening((request, response) => {
    const path = request.url ?? ""
    asked.push(path)
    const page = pages(path)
    const type = path === "/robots.txt" ? "text/plain" : "text/html; charset=utf-8"
    response.writeHead(page === undefined ? 404 : 200, { "content-type": type }).end(page ?? "")
  })
  return { ...server, asked }
}

interface Question {
  readonly asked: { readonly kinds: ReadonlyArray<string>; readonly person: string | null }
  readonly pages: ReadonlyArray<{ readonly number: number; readonly address: string; readonly text: string }>
}

/** Answers each question with what `propose` says of it. */
export const startModel = async (propose: (question: Question) => ReadonlyArray<unknown>) => {
  const requests: Array<{ readonly tools?: unknown; readonly max_tokens?: number; readonly question: Question }> = []
  const server = await listening(async (request, response) => {
    const body = JSON.parse((await buffer(request)).toString("utf8"))
    const question: Question = JSON.parse(body.messages[1].content)
    requests.push({ ...body, question })
    const content = JSON.stringify({ proposals: propose(question) })
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({ choices: [{ message: { content } }] })
    )
  })
  return { ...server, requests }
}
