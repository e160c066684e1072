/** People, and the properties that they are attached to. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const people: Subject = {
  tables: [
    `CREATE TABLE contact (
      id uuid PRIMARY KEY,
      key text NOT NULL UNIQUE,
      full_name text NOT NULL,
      title text,
      role_type text,
      seniority text NOT NULL DEFAULT 'unknown',
      employer_name text,
      employer_domain text,
      firm_id uuid REFERENCES firm,
      email text,
      email_validation_status text NOT NULL DEFAULT 'unvalidated',
      phone text,
      phone_label text,
      phone_extension text,
      phone_fallback_from_employer boolean NOT NULL DEFAULT false,
      linkedin_url text,
      location text,
      source text NOT NULL DEFAULT 'manual',
      do_not_contact_email boolean NOT NULL DEFAULT false,
      do_not_contact_phone boolean NOT NULL DEFAULT false,
      last_verified_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`,
    ...Comment.onTable("contact", "A person attached to one or more properties.", {
      key: "The name that the source gave, which an import finds the record again by.",
      role_type: "The kind of work the person does, one of the words that a search takes.",
      firm_id: "The firm that the person works for, where it is a record; null for a suppressed person.",
      phone_fallback_from_employer: "The number is the employer's, since the person has none.",
      source: "Where the record came from, in the source's word."
    }),

    `CREATE TABLE property_contact (
      property_id uuid NOT NULL REFERENCES property,
      contact_id uuid NOT NULL REFERENCES contact,
      role text,
      relationship_status text NOT NULL DEFAULT 'unverified',
      attribution_type text NOT NULL DEFAULT 'customer_supplied',
      county_fips text,
      PRIMARY KEY (property_id, contact_id)
    )`,
    ...Comment.onTable(
      "property_contact",
      "A person's tie to a property; that of a suppressed person is in withheld_property_contact.",
      {
        role: "What the person is to the property.",
        attribution_type: "What the tie rests on.",
        county_fips: "Where the property is, kept by triggers; null: it is retired."
      }
    )
  ],
  indexes: [
    // Any substring of at least three characters of a name, a title or an employer.
    `CREATE INDEX contact_full_name ON contact USING gin (lower(full_name) gin_trgm_ops)`,
    `CREATE INDEX contact_employer_name ON contact USING gin (lower(employer_name) gin_trgm_ops)`,
    `CREATE INDEX contact_title ON contact USING gin (lower(title) gin_trgm_ops)`,
    // What searches of people compare, without the table. An entry has to fit a third of a page, hence the limits of `FieldCheck`.
    `CREATE INDEX contact_facts ON contact (id)
      INCLUDE (full_name, employer_name, title, role_type, seniority, firm_id)`,
    `CREATE INDEX contact_of_firm ON contact (firm_id)`,
    `CREATE INDEX property_contact_of_contact ON property_contact (contact_id, property_id)`,
    `CREATE INDEX property_contact_seen ON property_contact (contact_id, county_fips) INCLUDE (property_id)
      WHERE county_fips IS NOT NULL`
  ]
}
