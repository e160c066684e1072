/**
 * How deliveries that ended are found among the days of `delivery_log` (`retention/HistoryFunctions.ts`).
 *
 * The id of a delivery begins with its moment, so that a few days need to be looked at. Statements are planned with what they
 * look for, each time anew: then the other days are neither planned nor locked. An id that tells no moment, which ids of a time
 * before days have, is looked for in all of them.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION delivery_logged(of_org text, of_id uuid) RETURNS SETOF delivery_log LANGUAGE plpgsql STABLE AS $$
  DECLARE
    made CONSTANT timestamptz := uuid_moment(of_id);
  BEGIN
    IF made IS NOT NULL THEN
      RETURN QUERY EXECUTE 'SELECT * FROM delivery_log
        WHERE org_id = $1 AND id = $2 AND created_at >= $3 AND created_at < $4'
        USING of_org, of_id, made - interval '1 day', made + interval '1 day';
      IF FOUND THEN RETURN; END IF;
    END IF;
    RETURN QUERY EXECUTE 'SELECT * FROM delivery_log WHERE org_id = $1 AND id = $2' USING of_org, of_id;
  END $$`,
  Comment.onFunction("delivery_logged", "The delivery of an organization that ended, by its id."),

  `CREATE OR REPLACE FUNCTION delivery_arrived(of_org text, ids uuid[]) RETURNS TABLE (id uuid, property_id uuid, data text)
  LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN QUERY EXECUTE 'SELECT l.id, l.property_id, l.data FROM delivery_log l
      WHERE l.org_id = $1 AND l.id = ANY($2) AND l.created_at >= $3 AND l.state = ''delivered''
        AND l.event_type = ''lead.qualified'' AND NOT l.test'
      USING of_org, ids, (SELECT min(coalesce(uuid_moment(i), '-infinity')) - interval '1 day' FROM unnest(ids) AS i);
  END $$`,
  Comment.onFunction(
    "delivery_arrived",
    "Those of the deliveries of an organization that ended by arriving and are to be booked."
  ),

  `CREATE OR REPLACE FUNCTION delivery_was_tried(of_org text, of_event uuid, of_endpoint uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    tried boolean;
  BEGIN
    EXECUTE 'SELECT EXISTS (SELECT FROM delivery_log s
      WHERE s.org_id = $1 AND s.event_id = $2 AND s.endpoint_id = $3 AND s.attempts + s.resends > 0
        AND s.created_at >= (SELECT e.created_at - interval ''1 day'' FROM event e WHERE e.org_id = $1 AND e.id = $2))'
    INTO tried USING of_org, of_event, of_endpoint;
    RETURN tried;
  END $$`,
  Comment.onFunction("delivery_was_tried", "Whether an event was sent to an endpoint by a delivery that has ended.")
]
