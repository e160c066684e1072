/**
 * What REST answers for the refusals that the specification has on MCP alone. decisions, section 20.
 *
 * | core            | about                     | REST                                             |
 * | --------------- | ------------------------- | ------------------------------------------------ |
 * | LIST_NOT_FOUND  | any list                  | 404 NOT_FOUND                                    |
 * | WRONG_LIST_TYPE | items of the other kind   | 404 PROPERTY_NOT_AVAILABLE, CONTACT_NOT_AVAILABLE |
 * | WRONG_LIST_TYPE | the list of a filter      | 400 with the filter's field                      |
 */
import type { Refusal } from "@freehold/core/catalogue/Catalogue"
import { NotFound } from "@freehold/core/coverage/CoverageRefusals"
import { ContactNotAvailable, PropertyNotAvailable } from "@freehold/core/list/ListRefusals"
import { invalid } from "@freehold/core/operation/InvalidInput"
import type { RefusalClass } from "@freehold/core/operation/Operation"

/** The refusals that REST has for a code of MCP's, where they differ; the document's side of `inRest`. */
export const restWords = {
  LIST_NOT_FOUND: [NotFound],
  // Those that it becomes are refusals of the same endpoints already.
  WRONG_LIST_TYPE: [],
  // REST makes a list of the same name.
  NAME_IN_USE: [],
  // Needs a ceiling, which is an argument of tools.
  COST_CONFIRMATION_REQUIRED: []
} as const satisfies Readonly<Partial<Record<Refusal["_tag"], ReadonlyArray<RefusalClass>>>>

export const inRest = (refusal: Refusal): Refusal => {
  switch (refusal._tag) {
    case "LIST_NOT_FOUND":
      return new NotFound({ resource: "list" })
    case "WRONG_LIST_TYPE": {
      const { field, item_ids, list_type: type, unnamed } = refusal
      const told = { item_ids, ...unnamed === undefined ? {} : { unnamed } }
      return field !== "item_ids"
        ? invalid(field, "Expected a list of properties")
        : type === "properties"
        ? new PropertyNotAvailable(told)
        : new ContactNotAvailable(told)
    }
    default:
      return refusal
  }
}
