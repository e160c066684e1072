/**
 * A property as a page (an MCP App, revision 2026-01-26): what it is, how it stands, and a picture of its place, drawn from the
 * buildings around it. A client that shows pages renders it beside the result of `service_get_property`; others show the text.
 */
import { page } from "./PropertyCardPage.ts"

export const uri = "ui://freehold/property"

const mimeType = "text/html;profile=mcp-app"

/** Without a policy of its own the client lets it reach nothing outside. */
const meta = { ui: { prefersBorder: true } }

/** As `resources/list` shows it. */
export const resource = {
  uri,
  name: "property card",
  title: "A property with a picture of its place",
  mimeType,
  _meta: meta
}

/** As `resources/read` answers it. */
export const content = { uri, mimeType, text: page, _meta: meta }
