/** `FindingGround` over PostgreSQL. Each method is one statement. */
import { EmailValidationStatus, RoleType } from "@freehold/core/contact/Contact"
import { type Acquaintance, FindingGround, mostFirms, mostPlaces } from "@freehold/core/research/FindingGround"
import { type SubjectType, subjectTypes } from "@freehold/core/research/ResearchRun"
import { Array, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { doNotContact } from "../contact/ContactRowPg.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import { storable } from "../database/StorableText.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

const Text = Schema.NullOr(Schema.String)
const Refused = Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean })

const GroundRow = Schema.Struct({
  property: Schema.NullOr(Schema.Struct({
    id: Schema.String,
    key: Schema.String,
    address: Text,
    commonName: Text,
    owners: Schema.Array(Schema.String),
    managementCompany: Text,
    beneficialOwner: Text
  })),
  person: Schema.NullOr(Schema.Struct({ id: Schema.String, fullName: Schema.String, doNotContact: Refused })),
  firms: Schema.Array(Schema.Struct({
    id: Schema.String,
    key: Schema.String,
    name: Schema.String,
    domain: Text,
    websiteUrl: Text,
    phone: Text,
    register: Schema.NullOr(Schema.Struct({
      title: Schema.String,
      publisher: Schema.String,
      address: Schema.String,
      readAt: Schema.String
    }))
  })),
  places: Schema.Array(Schema.String)
})

const PersonRow = Schema.Struct({
  barred: Schema.Boolean,
  known: Schema.NullOr(Schema.Struct({
    id: Schema.String,
    key: Schema.String,
    title: Text,
    email: Text,
    emailValidationStatus: EmailValidationStatus,
    phone: Text,
    doNotContact: Refused,
    ties: Schema.Array(Schema.Struct({
      propertyKey: Schema.String,
      role: Schema.NullOr(RoleType),
      relationshipStatus: Schema.String,
      attributionType: Schema.String
    }))
  }))
})

const decodeGround = Schema.decodeUnknownEffect(GroundRow)
const decodePeople = Schema.decodeUnknownEffect(Schema.Array(PersonRow))

/** A firm `f` with the source that it came from. */
const firmShown = `json_build_object('id', f.id, 'key', f.key, 'name', f.name, 'domain', f.domain,
  'websiteUrl', f.website_url, 'phone', f.phone, 'register', (
    SELECT json_build_object('title', s.document ->> 'title', 'publisher', s.document ->> 'publisher',
      'address', s.document ->> 'address', 'readAt', ${isoTime("coalesce(s.full_at, s.added_at)")})
    FROM source_record k JOIN source s ON s.name = k.source
    WHERE k.key = f.key AND k.vanished_at IS NULL AND s.document ->> 'rows' = 'firms' ORDER BY s.name LIMIT 1
  ))`

/** `FindingGround` over PostgreSQL. */
export const layer: Layer.Layer<FindingGround, never, SqlClient.SqlClient> = Layer.effect(
  FindingGround,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const firm = sql.literal(firmShown)

    const ofProperty = (id: string) =>
      sql`
        SELECT json_build_object('id', p.id, 'key', p.key, 'address', p.address, 'commonName', p.common_name,
            'owners', p.owners, 'managementCompany', r.management_company,
            'beneficialOwner', coalesce(r.beneficial_owner, r.withheld_beneficial_owner)) AS property,
          NULL AS person, coalesce(firms.shown, '[]') AS firms, json_build_array(p.key) AS places
        FROM (
          SELECT *, array_remove(ARRAY[record_owner, owner_name, owner_name2], NULL) AS owners FROM property
          WHERE id = ${id}::uuid AND retired_into IS NULL
        ) AS p
        LEFT JOIN property_research r ON r.property_id = p.id
        LEFT JOIN LATERAL (
          SELECT json_agg(near.shown ORDER BY near.place, near.id) AS shown FROM (
            SELECT f.id, min(tie.place) AS place, ${firm} AS shown FROM (
              SELECT t.firm_id, array_position(ARRAY['owner', 'property_manager', 'operator'], t.role) AS place
              FROM property_firm t WHERE t.property_id = p.id AND t.role <> 'tenant'
              UNION ALL
              SELECT named.id, 4 FROM unnest(p.owners) AS owner JOIN firm named ON lower(named.name) = lower(owner)
              WHERE EXISTS (SELECT FROM source_record k WHERE k.key = named.key AND k.vanished_at IS NULL)
            ) AS tie JOIN firm f ON f.id = tie.firm_id
            GROUP BY f.id ORDER BY 2, 1 LIMIT ${mostFirms}
          ) AS near
        ) AS firms ON true`

    const ofFirm = (id: string) =>
      sql`
        SELECT NULL AS property, NULL AS person, json_build_array(${firm}) AS firms, coalesce((
          SELECT json_agg(near.key) FROM (
            SELECT DISTINCT p.id, p.key FROM property_firm t JOIN property p ON p.id = t.property_id
            WHERE t.firm_id = f.id AND p.retired_into IS NULL ORDER BY p.id LIMIT ${mostPlaces}
          ) AS near
        ), '[]') AS places
        FROM firm f WHERE f.id = ${id}::uuid`

    const ofPerson = (id: string) =>
      sql`
        SELECT NULL AS property,
          json_build_object('id', c.id, 'fullName', c.full_name, 'doNotContact', ${
        sql.literal(doNotContact)
      }) AS person,
          coalesce((SELECT json_agg(${firm}) FROM firm f WHERE f.id = c.firm_id), '[]') AS firms,
          json_build_array() AS places
        FROM contact c
        WHERE c.id = ${id}::uuid AND NOT EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = c.id)`

    const statements: Readonly<Record<SubjectType, (id: string) => Statement.Statement<unknown>>> = {
      property: ofProperty,
      contact: ofPerson,
      organization: ofFirm
    }

    return FindingGround.of({
      of: Effect.fn("FindingGround.of")(function*({ action, subjectId }) {
        const [row] = yield* statements[subjectTypes[action]](subjectId)
        return row === undefined ? Option.none() : Option.some(yield* decodeGround(row))
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      acquaintances: Effect.fn("FindingGround.acquaintances")(function*(people, personId) {
        if (!Array.isReadonlyArrayNonEmpty(people)) return []
        const names = people.map(({ name }) => storable(name))
        const emails = people.map(({ email }) => email === null ? null : storable(email))
        const rows = yield* sql`
          SELECT coalesce(near.barred, false) OR EXISTS (
              SELECT FROM suppressed_contact s JOIN contact c ON c.id = s.contact_id
              WHERE lower(c.email) = lower(g.email)
            ) OR EXISTS (
              SELECT FROM erased_person e WHERE e.mark = ANY(
                person_marks(g.key, g.email, NULL) || person_name_mark(g.firm_id, g.name)
              )
            ) AS barred, near.known
          FROM unnest(
            ${textArray(people.map(({ firmId }) => firmId))}::uuid[], ${textArray(people.map(({ domain }) => domain))},
            ${textArray(names)}, ${textArray(emails)}, ${textArray(people.map(({ key }) => key))}
          ) WITH ORDINALITY AS g(firm_id, domain, name, email, key, place)
          LEFT JOIN LATERAL (
            SELECT bool_or(s.contact_id IS NOT NULL) AS barred, (array_agg(
              json_build_object('id', c.id, 'key', c.key, 'title', c.title, 'email', c.email,
                'emailValidationStatus', c.email_validation_status, 'phone', c.phone,
                'doNotContact', ${sql.literal(doNotContact)}, 'ties', coalesce((
                  SELECT json_agg(json_build_object('propertyKey', p.key, 'role', t.role,
                    'relationshipStatus', t.relationship_status, 'attributionType', t.attribution_type) ORDER BY p.id)
                  FROM property_contact t JOIN property p ON p.id = t.property_id WHERE t.contact_id = c.id
                ), '[]'))
              ORDER BY c.id = ${personId}::uuid DESC, c.key = g.key DESC, c.id
            ))[1] AS known
            FROM contact c LEFT JOIN suppressed_contact s ON s.contact_id = c.id
            WHERE c.key = g.key OR (lower(c.full_name) = lower(g.name) AND (
              coalesce(c.firm_id, s.firm_id) = g.firm_id OR c.employer_domain = g.domain OR lower(c.email) = lower(g.email)
            ))
          ) AS near ON true
          ORDER BY g.place`
        return (yield* decodePeople(rows)).map(({ barred, known }): Acquaintance =>
          barred ? { _tag: "Barred" } : known === null ? { _tag: "New" } : { _tag: "Known", ...known }
        )
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die }))
    })
  })
)
