/** The contract's document, as this composition serves it. */
import * as ErrorPages from "@freehold/http-host/errors/ErrorPages"
import * as OpenApiDocument from "@freehold/http-host/openapi/OpenApiDocument"
import { toolNames } from "./ToolNames.ts"

/** The text that is checked in as `docs/openapi.json`. */
export const text = (): string => `${JSON.stringify(OpenApiDocument.make({ tools: toolNames }), null, 2)}\n`

/** The text that is checked in as `docs/errors.md`. */
export const errors = ErrorPages.markdown
