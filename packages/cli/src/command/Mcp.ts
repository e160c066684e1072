/** `freehold mcp`: the tools for an assistant on this machine, over standard input and output. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { endsWhenStopped } from "../StoppedBySignal.ts"

const assistant = Effect.promise(() => import("../LocalAssistant.ts"))

export const mcpCommand = Command.make(
  "mcp",
  {
    url: Flag.String("url").pipe(
      Flag.withMetavar("API_ROOT"),
      Flag.withDescription("Use the server at this API root instead of the database"),
      Flag.filter(
        (url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""),
        (url) => `Expected an API root such as https://host/v1, got "${url}"`
      ),
      Flag.optional
    )
  },
  ({ url }) =>
    endsWhenStopped(
      Effect.flatMap(assistant, ({ serveDatabase, serveRemote }) =>
        Option.match(url, { onNone: () => serveDatabase, onSome: serveRemote }))
    )
).pipe(
  Command.withExamples([
    {
      command: "FREEHOLD_API_KEY=fhk_... npx -y freehold mcp --url https://api.example.com/v1",
      description: "Over a running server, from any machine that has Node"
    },
    { command: "FREEHOLD_API_KEY=fhk_... freehold mcp", description: "Over the database of this machine" }
  ])
)
