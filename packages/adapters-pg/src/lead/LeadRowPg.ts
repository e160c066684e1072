/** A lead as JSON, made by the server in core's own shape. */
import { isoTime } from "../property/PropertyRowPg.ts"

/** The lead `l`. */
export const leadJson = `json_build_object('propertyId', l.property_id, 'status', l.status, 'dealValue', l.deal_value,
  'lossReasonCode', l.loss_reason_code, 'lossReasonNote', l.loss_reason_note,
  'disqualifiedReason', l.disqualified_reason, 'qualifiedAt', ${isoTime("l.qualified_at")},
  'qualifiedBy', l.qualified_by, 'statusChangedAt', ${isoTime("l.status_changed_at")}, 'ownerId', l.owner_id,
  'ownerName', l.owner_name, 'version', l.version)`

/** The lead of `reader` for the property `p`, null for none. */
export const leadOfReader = `(
  SELECT ${leadJson} FROM lead l WHERE l.org_id = reader.org_id AND l.property_id = p.id)`

/** The state of the customer account of `reader` for the property `p`, null for none. */
export const customerOfReader = `(
  SELECT ca.status FROM customer_account ca WHERE ca.org_id = reader.org_id AND ca.property_id = p.id)`
