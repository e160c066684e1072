/**
 * Portals on loopback that speak their protocols strictly: a parameter that the real one does not know is refused, and so is
 * an order or a condition that a reader has no reason to send. What goes wrong is told to it beforehand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"

export type Row = Readonly<Record<string, unknown>>

/** What one answer is instead of what was asked for. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void

export const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Fault => (_, response) => {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end("made to fail")
}

/** Says that more comes than does. */
export const cutOff: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000000" })
  response.write("[{")
  response.socket?.destroySoon()
}

/** A little at a time, for ever. */
export const drips: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const timer = setInterval(() => response.write(" "), 20)
  response.once("close", () => clearInterval(timer))
}

/** Nothing, though there is more. */
export const moreOfNothing: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({ features: [], exceededTransferLimit: true }))
}

/** Compressed, and cut in the middle. */
export const halfGzip = (text: string): Fault => (_, response) => {
  const bytes = gzipSync(text)
  response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" })
  response.end(bytes.subarray(0, bytes.length / 2))
}

interface Sent {
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
}

export const portalServer = async () => {
  /** A Socrata dataset: rows by `:id`, in the portal's own order. */
  const soda: Array<Row> = []
  /** Features of a layer, by OBJECTID. */
  const features: Array<{ readonly attributes: Row; readonly geometry?: Row }> = []
  /** How far from UTC the layer's database is, whose moments conditions are in. */
  const layerZone = { hours: 0 }
  /** Records of a datastore, by _id. */
  const records: Array<Row> = []
  /** Records that the datastore answers at most, whatever is asked. */
  const recordsAtOnce = { most: 32_000 }
  const files = new Map<string, { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }>()
  const redirects = new Map([["/moved", "/parcels.csv"]])
  const companies = new Map<string, Row>()
  const sent: Array<Sent> = []
  /** Taken one by one by the requests that come; undefined: this one is answered. */
  const faults: Array<Fault | undefined> = []
  /** Runs before each answer, with the number of the request. */
  const before: { run: (number: number) => void } = { run: () => {} }
  const columns = {
    soda: new Set<string>(),
    features: new Set<string>(),
    records: new Set(["_id", "number", "street"])
  }

  const json = (response: ServerResponse, value: unknown, headers: Readonly<Record<string, string>> = {}) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
  }
  const refuse = (response: ServerResponse, why: string) => {
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ message: why }))
  }
  const strange = (url: URL, known: ReadonlyArray<string>) =>
    [...url.searchParams.keys()].find((name) => !known.includes(name))

  const answerSoda = (url: URL, response: ServerResponse) => {
    const other = strange(url, ["$select", "$order", "$limit", "$where"])
    if (other !== undefined) return refuse(response, `Unrecognized arguments [${other}]`)
    const asked = ["$select", "$order"].map((name) => url.searchParams.get(name)).join(" by ")
    if (asked !== ":*,* by :id" && asked !== ":updated_at by :updated_at DESC") {
      return refuse(response, "not in an order that stays")
    }
    const where = url.searchParams.get("$where") ?? ""
    const after = /:id > '([^']*)'/.exec(where)?.[1]
    const updated = /:updated_at >= '([^']*)'/.exec(where)?.[1]
    const rest = where.split(" AND ").filter((part) => !/^:(id >|updated_at >=) '/.test(part) && part !== "")
    if (rest.some((part) => part !== "(borocode='1')")) return refuse(response, `cannot parse ${rest.join()}`)
    const first = after === undefined ? 0 : soda.findIndex((row) => row[":id"] === after) + 1
    const found = soda.slice(first)
      .filter((row) => updated === undefined || String(row[":updated_at"]) >= updated)
      .filter((row) => rest.length === 0 || row["borocode"] === "1")
    const limit = Number(url.searchParams.get("$limit"))
    if (asked.startsWith(":*")) {
      return json(response, found.slice(0, limit), { "x-soda2-fields": JSON.stringify([...columns.soda]) })
    }
    const moments = found.map((row) => String(row[":updated_at"])).toSorted().toReversed()
    json(response, moments.slice(0, limit).map((moment) => ({ ":updated_at": moment })))
  }

  const layer = () => ({
    objectIdField: "OBJECTID",
    maxRecordCount: 3,
    editFieldsInfo: { editDateField: "EDITED" },
    fields: [...columns.features].map((name) => ({
      name,
      type: name === "OBJECTID" ? "esriFieldTypeOID" : name === "EDITED" ? "esriFieldTypeDate" : "esriFieldTypeString"
    }))
  })

  const answerFeatures = (url: URL, response: ServerResponse) => {
    const known = ["f", "where", "outFields", "orderByFields", "resultRecordCount", "returnGeometry", "outSR"]
    const other = strange(url, known)
    const where = url.searchParams.get("where") ?? ""
    if (other !== undefined || url.searchParams.get("f") !== "json" || url.searchParams.get("outSR") !== "4326") {
      return json(response, { error: { code: 400, message: "Unable to complete operation." } })
    }
    const limit = Math.min(3, Number(url.searchParams.get("resultRecordCount")))
    const order = url.searchParams.get("orderByFields")
    const editedOf = ({ attributes }: (typeof features)[number]) => Number(attributes["EDITED"] ?? Number.NaN)
    if (order === "EDITED DESC" && where === "(1=1) AND EDITED IS NOT NULL") {
      const moments = features.map(editedOf).filter((moment) => !Number.isNaN(moment)).toSorted((a, b) => b - a)
      return json(response, { features: moments.slice(0, limit).map((EDITED) => ({ attributes: { EDITED } })) })
    }
    const [, edited, after] =
      /^\(1=1\)(?: AND EDITED >= TIMESTAMP '([^']+)')?(?: AND OBJECTID > (\d+))?$/.exec(where) ?? []
    if (order !== "OBJECTID ASC") {
      return json(response, { error: { code: 400, message: "'orderByFields' is invalid." } })
    }
    const from = edited === undefined
      ? undefined
      : Date.parse(`${edited.replace(" ", "T")}Z`) - layerZone.hours * 3_600_000
    const found = features.filter((feature) =>
      Number(feature.attributes["OBJECTID"]) > Number(after ?? 0) && (from === undefined || editedOf(feature) >= from)
    )
    json(response, { features: found.slice(0, limit), exceededTransferLimit: found.length > limit })
  }

  const answerRecords = (url: URL, response: ServerResponse) => {
    const other = strange(url, ["resource_id", "limit", "offset", "sort", "filters"])
    if (other !== undefined || url.searchParams.get("sort") !== "_id asc") return refuse(response, "validation error")
    const offset = Number(url.searchParams.get("offset"))
    json(response, {
      success: true,
      result: {
        fields: [...columns.records].map((id) => ({ id })),
        records: records.slice(offset, offset + Math.min(recordsAtOnce.most, Number(url.searchParams.get("limit")))),
        total: records.length
      }
    })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://portal.example")
    sent.push({ url, headers: request.headers })
    before.run(sent.length)
    const fault = faults.shift()
    if (fault !== undefined) return fault(request, response)
    const { pathname } = url
    if (pathname === "/resource/abcd-1234.json") return answerSoda(url, response)
    if (pathname === "/rest/services/Parcels/FeatureServer/0") return json(response, layer())
    if (pathname === "/rest/services/Parcels/FeatureServer/0/query") return answerFeatures(url, response)
    if (pathname === "/api/3/action/datastore_search") return answerRecords(url, response)
    const company = companies.get(pathname)
    if (company !== undefined) return json(response, company)
    const location = redirects.get(pathname)
    if (location !== undefined) return response.writeHead(302, { location }).end()
    const file = files.get(pathname)
    if (file === undefined) return response.writeHead(404).end("{}")
    if (file.headers["etag"] !== undefined && request.headers["if-none-match"] === file.headers["etag"]) {
      return response.writeHead(304).end()
    }
    const modified = file.headers["last-modified"]
    if (modified !== undefined && request.headers["if-modified-since"] === modified) {
      return response.writeHead(304).end()
    }
    response.writeHead(200, { "content-length": String(file.body.length), ...file.headers }).end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    soda,
    features,
    layerZone,
    records,
    recordsAtOnce,
    files,
    redirects,
    companies,
    columns,
    sent,
    faults,
    before,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

export type PortalServer = Awaited<ReturnType<typeof portalServer>>
