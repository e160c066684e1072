/** Owners and the firms that they may be; records that may be of one place. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE owner (
    owner_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    county_fips text NOT NULL,
    name text NOT NULL,
    key text NOT NULL,
    blocks text[] NOT NULL,
    mailing text[] NOT NULL,
    agents text[] NOT NULL,
    is_founding boolean NOT NULL,
    is_cut boolean NOT NULL,
    properties integer NOT NULL
  )`,
  `CREATE UNIQUE INDEX owner_of_name ON owner (county_fips, lower(name COLLATE "C"))`,
  `CREATE INDEX owner_of_county ON owner (county_fips, owner_id)`,
  `CREATE INDEX owner_founding ON owner (key) WHERE is_founding`,
  `CREATE INDEX owner_blocks ON owner USING gin (blocks)`,
  ...Comment.onTable(
    "owner",
    "Companies and public bodies that own, by county and name as the record has it. No private person is here.",
    {
      key: "The same for names that are written in two ways.",
      blocks: "By which firms are found that it may be; made by core's FirmName.",
      mailing: "Where its bills are sent, in the form in which that is compared.",
      agents: "Its registered agents, those that are companies, in the form in which they are compared.",
      is_founding: "Whether it may become a firm by itself.",
      is_cut: "Whether the source seems to have cut the name off.",
      properties: "How many it has in the county, as of the last matching."
    }
  ),

  `CREATE TABLE firm_form (
    firm_id uuid PRIMARY KEY REFERENCES firm ON DELETE CASCADE,
    name text NOT NULL,
    key text NOT NULL,
    blocks text[] NOT NULL
  )`,
  `CREATE INDEX firm_form_blocks ON firm_form USING gin (blocks)`,
  ...Comment.onTable("firm_form", "The names of firms in the form in which they are compared with owners.", {
    name: "That it was made of: when the firm has another one, it is made anew."
  }),

  `CREATE TABLE owner_match (
    match_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id bigint NOT NULL REFERENCES owner ON DELETE CASCADE,
    firm_id uuid NOT NULL REFERENCES firm ON DELETE CASCADE,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    evidence text[] NOT NULL,
    state text NOT NULL CHECK (state IN ('tied', 'proposed', 'accepted', 'rejected')),
    UNIQUE (owner_id, firm_id)
  )`,
  `CREATE UNIQUE INDEX owner_match_one ON owner_match (owner_id) WHERE state IN ('tied', 'accepted')`,
  `CREATE INDEX owner_match_of_firm ON owner_match (firm_id)`,
  `CREATE INDEX owner_match_listed ON owner_match (state, confidence DESC, match_id)`,
  ...Comment.onTable(
    "owner_match",
    "Which firm an owner is, or may be; what was rejected stays here and never comes back.",
    {
      evidence: "Why, as core's OwnerMatch says.",
      state: "Tied: by the rules alone. Accepted, rejected: by a person."
    }
  ),

  `CREATE TABLE owner_tie (
    property_id uuid NOT NULL REFERENCES property,
    firm_id uuid NOT NULL REFERENCES firm ON DELETE CASCADE,
    owner_id bigint NOT NULL REFERENCES owner ON DELETE CASCADE,
    PRIMARY KEY (property_id, firm_id)
  )`,
  `CREATE INDEX owner_tie_of_owner ON owner_tie (owner_id)`,
  ...Comment.onTable("owner_tie", "Ties of firms to properties that a match has made, and may take back.", {}),

  `CREATE TABLE place_match (
    match_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    one_id uuid NOT NULL REFERENCES property,
    other_id uuid NOT NULL REFERENCES property,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    evidence text[] NOT NULL,
    state text NOT NULL CHECK (state IN ('proposed', 'accepted', 'rejected')),
    UNIQUE (one_id, other_id),
    CHECK (one_id < other_id)
  )`,
  `CREATE INDEX place_match_listed ON place_match (state, confidence DESC, match_id)`,
  `CREATE INDEX place_match_of_other ON place_match (other_id)`,
  ...Comment.onTable(
    "place_match",
    "Records of two sources that may be of one place; what was rejected never comes back.",
    {
      evidence: "Why, as core's SamePlace says."
    }
  ),

  `CREATE TABLE matched_county (
    county_fips text NOT NULL,
    subject text NOT NULL CHECK (subject IN ('owners', 'places')),
    refreshed_at timestamptz,
    PRIMARY KEY (county_fips, subject)
  )`,
  ...Comment.onTable("matched_county", "How far matching is: the counties whose owners and places were compared.", {
    refreshed_at: "When the county had been refreshed then: once it is another moment, it is matched again."
  })
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
