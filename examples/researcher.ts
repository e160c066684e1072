/**
 * A researcher to try Freehold with: it takes research jobs, looks each up in a file, and answers. It stands for a system
 * of your own. It needs Node 22.18 or newer and nothing else.
 *
 *     FREEHOLD_RESEARCHER_SECRET=... node examples/researcher.ts FACTS.json [PORT]
 *
 * and Freehold beside it, with the same secret:
 *
 *     FREEHOLD_RESEARCHER_URL=http://127.0.0.1:9091 FREEHOLD_RESEARCHER_SECRET=... FREEHOLD_WEBHOOK_TARGETS=any \
 *       freehold serve
 *
 * FACTS.json holds answers by the key of their subject, such as
 *
 *     { "53903-SAMPLE1": { "research": { "beneficialOwner": "Sample Holdings" } } }
 *
 * What is not in it was not found: Freehold gives the credits back.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"

interface Job {
  readonly job_id: string
  readonly action: string
  readonly subject: { readonly type: string; readonly id: string; readonly key: string }
  readonly callback_url: string
}

const [factsFile, port = "9091"] = process.argv.slice(2)
const secret = process.env["FREEHOLD_RESEARCHER_SECRET"] ?? ""
const toleranceSeconds = 300
const attempts = 5

const stop: (reason: string, code: number) => never = (reason, code) => {
  console.error(reason)
  return process.exit(code)
}

if (factsFile === undefined || secret === "") {
  stop("usage: FREEHOLD_RESEARCHER_SECRET=... node examples/researcher.ts FACTS.json [PORT]", 2)
}

const readFacts = (file: string): Readonly<Record<string, object>> => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch (cause) {
    return stop(`${file} cannot be used: ${cause instanceof Error ? cause.message : cause}`, 1)
  }
}
const facts = readFacts(factsFile)

const mac = (time: string, body: Buffer) => createHmac("sha256", secret).update(`${time}.`).update(body).digest()

/** `Service-Signature: t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the secret over `<t>.<body as received>`. */
const isGenuine = (header: string, body: Buffer): boolean => {
  const { t: time = "", v1 = "" } = Object.fromEntries(header.split(",").map((part) => part.split("=")))
  const given = Buffer.from(v1, "hex")
  const expected = mac(time, body)
  return given.length === expected.length && timingSafeEqual(given, expected)
    && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds
}

/** Answers a job; the same answer twice does no harm, so that it is sent until it was taken. */
const answer = async ({ callback_url: url, job_id, subject }: Job): Promise<void> => {
  const found = facts[subject.key]
  const body = Buffer.from(JSON.stringify({
    job_id,
    ...found === undefined ? { outcome: "failed" } : { outcome: "complete", ...found }
  }))
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const time = String(Math.floor(Date.now() / 1000))
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "service-signature": `t=${time},v1=${mac(time, body).toString("hex")}`
      },
      body
    }).catch(() => null)
    const text = await response?.text() ?? "no answer"
    // A refusal says what is wrong with the answer: sending it again would not mend it.
    if (response !== null && response.status < 500) return console.log(`${subject.key}: ${response.status} ${text}`)
    await setTimeout(1000 * attempt)
  }
  console.log(`${subject.key}: given up`)
}

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  if (!isGenuine(String(request.headers["service-signature"]), body)) {
    response.writeHead(401).end()
    return
  }
  // Taken at once and answered later: a job may take as long as it needs.
  response.writeHead(202).end()
  await answer(JSON.parse(body.toString("utf8")))
})

server.once("error", (error) => stop(`cannot listen on port ${port}: ${error.message}`, 1))
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address()
  console.log(`researching on http://127.0.0.1:${typeof address === "object" ? address?.port : port}`)
})
