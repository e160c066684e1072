/**
 * Marks what people of the organization wrote, so that an assistant takes it for data and not for instructions: each
 * note and action of a bundle carries `user_content: true`, and so does each request. decisions, section 5.
 */
import { Predicate } from "effect"

const marked = (texts: unknown): unknown =>
  Array.isArray(texts)
    ? texts.map((text) => Predicate.isObject(text) ? { ...text, user_content: true } : text)
    : texts

/** The result with a bundle whose notes and actions are marked. */
export const markBundle = (result: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { bundle } = result
  return Predicate.isObject(bundle) && "notes" in bundle && "actions" in bundle
    ? { ...result, bundle: { ...bundle, notes: marked(bundle["notes"]), actions: marked(bundle["actions"]) } }
    : result
}

/** The result with its requests marked: what was asked, and what was answered. */
export const markRequests = (result: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...result,
  requests: marked(result["requests"])
})
