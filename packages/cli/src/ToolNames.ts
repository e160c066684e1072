/** The names of the operations that assistants are offered. */
import { tools } from "@freehold/mcp-host/Tools"

export const toolNames: ReadonlySet<string> = new Set(tools.map(({ operation }) => operation.name))
