/** Writes: what keeps answers, takes locks, makes work for the workers. */
import { createServer, type Socket } from "node:net"
import type { Attack, Force } from "../Attack.ts"
import { ask, flood, post, tool } from "../Request.ts"

const itemOf = (items: ReadonlyArray<string>, n: number): string => items[n % items.length] ?? ""

/** What an answer tells under a name, wherever it is; "" where it does not. */
const told = (text: string | undefined, name: string): string =>
  new RegExp(`"${name}":"([^"]+)"`).exec(text ?? "")?.[1] ?? ""

/** The id of a new list, into which the attack puts what it has. */
const newList = async (force: Force, type: "properties" | "contacts"): Promise<string> => {
  const answer = await ask(force, 0, post("/lists", { list_name: `attacked ${type}`, list_type: type }))
  return told(answer?.body, "id")
}

/** A receiver of webhooks that answers as `treat` has it; its address. */
const receiver = (force: Force, treat: (socket: Socket) => void): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      force.hold(socket)
      socket.on("error", () => socket.destroy())
      treat(socket)
    })
    force.hold({ destroy: () => void server.close() })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
    })
  })

/** As many endpoints as may be active in one organization. */
const endpoints = 10

/** All the endpoints that there may be, and a lead for each request. */
const delivered = async (force: Force, treat: (socket: Socket) => void): Promise<void> => {
  const root = await receiver(force, treat)
  const subscribe = async (n: number) => {
    const answer = await ask(force, n, post("/webhooks", { url: `${root}/${n}`, events: ["lead.qualified"] }))
    force.count(answer?.status === 200 || answer?.status === 201 ? "endpoint" : `endpoint ${answer?.status ?? "cut"}`)
  }
  for (let n = 0; n < endpoints; n++) await subscribe(n)
  await flood(
    force,
    (n) => tool("service_qualify_lead", { property_id: itemOf(force.world.properties, n), deal_value: 1000 + n }),
    20
  )
}

/** Says again and again that there is more to come, as long as anybody listens. */
const informing = (socket: Socket): void => {
  const more = "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(200)
  const say = () => {
    if (!socket.destroyed && socket.write(more)) setImmediate(say)
  }
  socket.on("drain", say)
  socket.once("data", say)
}

/** Answers, and never ends the answer. */
const endless = (socket: Socket): void => {
  const piece = `400\r\n${"x".repeat(1024)}\r\n`.repeat(16)
  const say = () => {
    if (!socket.destroyed && socket.write(piece)) setImmediate(say)
  }
  socket.on("drain", say)
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    say()
  })
}

const leads = { daily_limits: { agent_pipeline_change: { organization: 1_000_000, service: 1_000_000 } } }

export const attacks: ReadonlyArray<Attack> = [
  {
    name: "one property unlocked by all keys",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, () => post(`/properties/${itemOf(force.world.researched, 0)}/unlock`, {}))
  },
  {
    name: "many properties unlocked by all keys",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, (n) => post(`/properties/${itemOf(force.world.researched, n)}/unlock`, {}))
  },
  {
    name: "long answers kept under Idempotency-Key",
    by: "organization",
    meets: "200",
    // By one key alone: what is kept is bounded for each.
    run: (force) =>
      flood(
        { ...force, bearers: force.bearers.slice(0, 1), requests: Math.min(300, force.requests) },
        (n) =>
          post("/customer-accounts/sync", {
            accounts: Array.from({ length: 500 }, (_, row) => ({
              property_id: `${n}-${row}-`.padEnd(360, "x"),
              status: "active"
            }))
          }, { "idempotency-key": `attack-${n}` })
      )
  },
  {
    name: "lists of 500 at a time",
    by: "organization",
    meets: "200",
    run: async (force) => {
      const properties = await newList(force, "properties")
      const contacts = await newList(force, "contacts")
      await flood(force, (n) =>
        n % 2 === 0
          ? post(`/lists/${properties}/items`, { item_ids: force.world.properties })
          : post(`/lists/${contacts}/items`, { item_ids: force.world.contacts }))
    }
  },
  {
    name: "500 customers at a time",
    by: "organization",
    meets: "200",
    run: (force) =>
      flood(force, (n) =>
        post("/customer-accounts/sync", {
          accounts: force.world.properties.map((id) => ({
            property_id: id,
            status: n % 2 === 0 ? "active" : "churned"
          }))
        }))
  },
  {
    name: "research of 100 at a time",
    by: "organization",
    meets: "200",
    run: (force) =>
      flood(force, (n) => {
        const first = n * 100 % Math.max(1, force.world.properties.length - 100)
        return tool("service_research_properties", {
          property_ids: force.world.properties.slice(first, first + 100),
          maxCredits: 1000
        })
      })
  },
  {
    name: "leads for receivers that do not answer",
    by: "organization",
    meets: "endpoint",
    organization: leads,
    run: (force) => delivered(force, () => {})
  },
  {
    name: "leads for receivers that flood",
    by: "organization",
    meets: "endpoint",
    organization: leads,
    run: (force) => delivered(force, informing)
  },
  {
    name: "leads for receivers whose answer has no end",
    by: "organization",
    meets: "endpoint",
    organization: leads,
    run: (force) => delivered(force, endless)
  }
]
