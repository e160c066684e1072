/**
 * What there is to say of an answer that is empty, or lacks a part of what was asked, in sentences.
 *
 * Each sentence about a tool stands alone, so that REST, which has the note in `meta`, can leave it out.
 */
import { Schema } from "effect"

/** The field of an output. */
export const noteField = { note: Schema.optionalKey(Schema.String) }

/** The field of an answer; nothing, mostly. */
export const noting = (sentences: ReadonlyArray<string>) => sentences.length === 0 ? {} : { note: sentences.join(" ") }
