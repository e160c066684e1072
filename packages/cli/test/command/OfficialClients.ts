/** The official clients of both generations, in each way in which they agree on a revision, over each transport. */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OlderStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as OlderHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"

/** A server to send to, or a program to start. */
export type Destination = { readonly url: URL; readonly key: string } | {
  readonly command: string
  readonly args: Array<string>
  readonly env: Record<string, string>
}

/** What a person says to a question; absent: the client cannot ask. */
export type Person = ((question: string) => "accept" | "decline") | undefined

/** What the tests ask of a client, whichever it is. */
export interface Connected {
  readonly revision: string | undefined
  readonly names: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, input: Record<string, unknown>) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

export interface OfficialClient {
  readonly client: string
  /** What it and the server agree on. */
  readonly revision: string
  readonly connect: (to: Destination, person: Person) => Promise<Connected>
}

const clientInfo = { name: "test", version: "0.0.0" }

const capable = (person: Person) => person === undefined ? {} : { capabilities: { elicitation: { form: {} } } }

const requestInitOf = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** The client of today; `legacy` begins as those before it did. */
const newer =
  (mode: VersionNegotiationMode, options: ClientOptions = {}): OfficialClient["connect"] => async (to, person) => {
    const client = new Client(clientInfo, { versionNegotiation: { mode }, ...capable(person), ...options })
    if (person !== undefined) {
      client.setRequestHandler("elicitation/create", ({ params }) => ({
        action: person(params.message),
        content: { confirm: true }
      }))
    }
    await client.connect(
      "url" in to
        ? new StreamableHTTPClientTransport(to.url, requestInitOf(to.key))
        : new StdioClientTransport({ ...to, stderr: "inherit" })
    )
    return {
      revision: client.getNegotiatedProtocolVersion(),
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, input) => client.callTool({ name, arguments: input }),
      close: () => client.close()
    }
  }

const older: OfficialClient["connect"] = async (to, person) => {
  const client = new OlderClient(clientInfo, capable(person))
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: person(params.message),
      content: { confirm: true }
    }))
  }
  const transport = "url" in to
    ? new OlderHttpTransport(to.url, requestInitOf(to.key))
    : new OlderStdioTransport({ ...to, stderr: "inherit" })
  let revision: string | undefined
  const told = transport instanceof OlderHttpTransport ? transport.setProtocolVersion.bind(transport) : undefined
  Object.assign(transport, {
    setProtocolVersion: (agreed: string) => {
      revision = agreed
      told?.(agreed)
    }
  })
  // The older SDK's own types disagree about an absent session under exactOptionalPropertyTypes.
  await client.connect(transport as never)
  return {
    revision,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close()
  }
}

export const clients: ReadonlyArray<OfficialClient> = [
  { client: "client 2, which finds out", connect: newer("auto"), revision: "2026-07-28" },
  { client: "client 2, which insists", connect: newer({ pin: "2026-07-28" }), revision: "2026-07-28" },
  ...["2025-11-25", "2025-06-18", "2025-03-26"].map((revision) => ({
    client: "client 2, as before",
    connect: newer("legacy", { supportedProtocolVersions: [revision] }),
    revision
  })),
  { client: "client 1", connect: older, revision: "2025-11-25" }
]
