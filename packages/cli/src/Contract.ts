/** The contract's document, as this composition serves it. */
import * as OpenApiDocument from "@freehold/http-host/openapi/OpenApiDocument"
import { tools } from "@freehold/mcp-host/Tools"

/** The names of the operations that assistants are offered. */
export const toolNames: ReadonlySet<string> = new Set(tools.map(({ operation }) => operation.name))

/** The text that is checked in as `docs/openapi.json`. */
export const text = (): string => `${JSON.stringify(OpenApiDocument.make({ tools: toolNames }), null, 2)}\n`
