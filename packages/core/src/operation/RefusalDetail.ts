/**
 * The typed detail of a refusal: its fields without the tag, as both hosts show them (REST in `meta`, MCP in
 * `structuredContent`).
 *
 * *Gotchas.* A field called `cause` is one that `Error` hides from enumeration, so it is asked for by name.
 */
export const detailOf = (
  refusal: { readonly _tag: string; readonly cause?: unknown }
): Readonly<Record<string, unknown>> => {
  const { _tag, ...detail } = refusal
  return refusal.cause === undefined ? detail : { ...detail, cause: refusal.cause }
}
