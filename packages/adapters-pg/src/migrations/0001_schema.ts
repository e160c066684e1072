/**
 * The first schema.
 *
 * Organization-owned tables carry `org_id` first in their primary key and property-owned ones `county_fips`, so that
 * the schema can be spread over machines by an existing engine. Amounts are whole credits; constraints repeat the
 * ledger's invariants as the last line of defence.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,

  // --- customers ---
  `CREATE TABLE organization (
    org_id text PRIMARY KEY CHECK (org_id ~ '^[A-Za-z0-9_-]{1,64}$'),
    /* The organization's settings in the form of an apply document. */
    profile jsonb NOT NULL,
    status text GENERATED ALWAYS AS (profile ->> 'status') STORED CHECK (status IN ('active', 'suspended', 'closed')),
    revision bigint NOT NULL DEFAULT 1,
    demonstration boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE credential (
    credential_id uuid PRIMARY KEY,
    org_id text NOT NULL REFERENCES organization,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    label text NOT NULL,
    secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    scopes text[] NOT NULL,
    daily_limits jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
  )`,
  `CREATE INDEX credential_of_organization ON credential (org_id, created_at)`,
  `CREATE TABLE credential_window (
    credential_id uuid PRIMARY KEY REFERENCES credential,
    started_at bigint NOT NULL,
    count integer NOT NULL CHECK (count >= 0)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE TABLE organization_day (
    org_id text NOT NULL REFERENCES organization,
    day date NOT NULL,
    requests integer NOT NULL CHECK (requests >= 0),
    PRIMARY KEY (org_id, day)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE TABLE member (
    org_id text NOT NULL REFERENCES organization,
    member_id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('admin', 'member', 'read_only')),
    seat boolean NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'removed')),
    territory jsonb,
    monthly_credit_limit integer CHECK (monthly_credit_limit >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, member_id)
  )`,
  `CREATE UNIQUE INDEX member_email ON member (org_id, lower(email))`,

  // --- properties ---
  `CREATE TABLE county (
    county_fips text PRIMARY KEY CHECK (county_fips ~ '^[0-9]{5}$'),
    name text,
    state text
  )`,
  `CREATE TABLE property (
    id uuid PRIMARY KEY,
    key text NOT NULL UNIQUE,
    county_fips text NOT NULL CHECK (county_fips ~ '^[0-9]{5}$'),
    retired_into uuid REFERENCES property,
    address text,
    city text,
    state text,
    zip text,
    county text,
    lat double precision CHECK (lat BETWEEN -90 AND 90),
    lon double precision CHECK (lon BETWEEN -180 AND 180),
    apn text,
    parcel_numbers text[],
    account_number text,
    lot_sqft integer,
    building_sqft integer,
    footprint_area integer,
    footprint_area_source text,
    roof_area_sqft integer,
    landscapable_sqft integer,
    year_built integer,
    effective_year_built integer,
    num_floors double precision,
    total_units integer,
    heating_type text,
    cooling_type text,
    primary_construction_type text,
    exterior_wall_material text,
    foundation_type text,
    roof_cover text,
    roof_shape text,
    quality_grade text,
    has_pool boolean,
    has_sprinklers boolean,
    asset_category text,
    asset_subcategory text,
    common_name text,
    record_owner text,
    owner_name text,
    owner_name_raw text,
    owner_name2 text,
    owner_mailing_address jsonb,
    raw_address text,
    address_source text,
    total_parval double precision,
    parcel_value_type text,
    last_sale_date date,
    last_sale_price double precision,
    zoning text,
    land_use_code text,
    land_use_description text,
    is_cluster boolean,
    cluster_id text,
    cluster_size integer,
    is_cluster_primary boolean,
    source_updated_at timestamptz,
    building_attributes_basis text NOT NULL DEFAULT 'none',
    /* The <name>Detail objects that are not null, by name. */
    details jsonb NOT NULL DEFAULT '{}',
    /* The buildings as they were imported; null: none. With buildings, what the parcel's own record says. */
    buildings jsonb,
    parcel_attributes jsonb CHECK ((parcel_attributes IS NULL) = (buildings IS NULL)),
    enrichment_status text NOT NULL DEFAULT 'not_started',
    last_enriched_at timestamptz,
    /* Counts over the attached contacts, kept by whoever changes them. */
    contact_count integer NOT NULL DEFAULT 0 CHECK (contact_count >= 0),
    contacts_with_email integer NOT NULL DEFAULT 0,
    contacts_with_phone integer NOT NULL DEFAULT 0,
    contacts_with_linkedin integer NOT NULL DEFAULT 0,
    contact_role_types text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    /* What free text looks at; a newline between fields, so that no word spans two. */
    search_text text GENERATED ALWAYS AS (
      lower(coalesce(address, '') || E'\\n' || coalesce(city, '') || E'\\n' || coalesce(record_owner, '') || E'\\n' ||
        coalesce(owner_name, ''))
    ) STORED,
    search_text_with_name text GENERATED ALWAYS AS (
      lower(coalesce(address, '') || E'\\n' || coalesce(city, '') || E'\\n' || coalesce(record_owner, '') || E'\\n' ||
        coalesce(owner_name, '') || E'\\n' || coalesce(common_name, ''))
    ) STORED
  )`,
  `CREATE TABLE property_research (
    property_id uuid PRIMARY KEY REFERENCES property,
    beneficial_owner text,
    beneficial_owner_type text,
    management_company text,
    ai_rationale text,
    researched_at timestamptz NOT NULL,
    tier text NOT NULL DEFAULT 'Standard' CHECK (tier IN ('Standard', 'Deep'))
  )`,

  // --- firms and contacts ---
  `CREATE TABLE firm (
    id uuid PRIMARY KEY,
    key text NOT NULL UNIQUE,
    name text NOT NULL,
    domain text,
    linkedin_url text,
    twitter_url text,
    facebook_url text,
    crunchbase_url text,
    website_url text,
    phone text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE property_firm (
    property_id uuid NOT NULL REFERENCES property,
    firm_id uuid NOT NULL REFERENCES firm,
    role text NOT NULL CHECK (role IN ('owner', 'property_manager', 'operator', 'tenant')),
    attribution_type text NOT NULL,
    PRIMARY KEY (property_id, firm_id, role)
  )`,
  `CREATE INDEX property_firm_of_firm ON property_firm (firm_id, property_id)`,
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
  `CREATE INDEX contact_of_firm ON contact (firm_id)`,
  `CREATE TABLE property_contact (
    property_id uuid NOT NULL REFERENCES property,
    contact_id uuid NOT NULL REFERENCES contact,
    role text,
    relationship_status text NOT NULL DEFAULT 'unverified',
    attribution_type text NOT NULL DEFAULT 'customer_supplied',
    PRIMARY KEY (property_id, contact_id)
  )`,
  `CREATE INDEX property_contact_of_contact ON property_contact (contact_id, property_id)`,
  `CREATE TABLE property_change (
    id uuid PRIMARY KEY,
    key text NOT NULL UNIQUE,
    kind text NOT NULL,
    property_id uuid REFERENCES property,
    contact_id uuid REFERENCES contact,
    before jsonb,
    after jsonb,
    detected_at timestamptz,
    effective_date date,
    source text,
    withdraws uuid REFERENCES property_change
  )`,
  `CREATE INDEX property_change_of_property ON property_change (property_id, detected_at DESC)`,
  `CREATE INDEX property_change_of_contact ON property_change (contact_id, detected_at DESC)`,

  // --- credits ---
  `CREATE TABLE credit_account (
    org_id text PRIMARY KEY REFERENCES organization,
    version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
    /* Moves on with every change of what a decision may be about; says nothing by itself. */
    revision integer NOT NULL DEFAULT 0,
    trial integer NOT NULL DEFAULT 0 CHECK (trial >= 0),
    included integer NOT NULL DEFAULT 0 CHECK (included >= 0),
    enterprise_pool integer NOT NULL DEFAULT 0 CHECK (enterprise_pool >= 0),
    purchased integer NOT NULL DEFAULT 0 CHECK (purchased >= 0)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE credit_entry (
    org_id text NOT NULL REFERENCES credit_account,
    entry integer NOT NULL CHECK (entry >= 1),
    at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('grant', 'charge', 'refund', 'expiry')),
    ref text,
    action text,
    subject_type text,
    subject_id text,
    credits integer NOT NULL,
    trial integer NOT NULL,
    included integer NOT NULL,
    enterprise_pool integer NOT NULL,
    purchased integer NOT NULL,
    balance_after integer NOT NULL CHECK (balance_after >= 0),
    actor jsonb NOT NULL,
    request_id text,
    refund_of integer,
    allocations jsonb NOT NULL,
    PRIMARY KEY (org_id, entry),
    FOREIGN KEY (org_id, refund_of) REFERENCES credit_entry,
    CHECK (credits = trial + included + enterprise_pool + purchased),
    CHECK ((kind IN ('charge', 'expiry')) = (credits < 0)),
    CHECK ((kind = 'refund') = (refund_of IS NOT NULL))
  )`,
  `CREATE UNIQUE INDEX credit_entry_refund ON credit_entry (org_id, refund_of) WHERE refund_of IS NOT NULL`,
  `CREATE UNIQUE INDEX credit_entry_grant ON credit_entry (org_id, ref) WHERE kind = 'grant'`,
  /* No index looks at `remaining`: it changes with every charge, in place for as long as none does. */
  `CREATE TABLE credit_grant (
    org_id text NOT NULL REFERENCES credit_account,
    ref text NOT NULL,
    bucket text NOT NULL CHECK (bucket IN ('trial', 'included', 'enterprise_pool', 'purchased')),
    amount integer NOT NULL CHECK (amount > 0),
    remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND amount),
    expires_at timestamptz,
    entry integer NOT NULL,
    PRIMARY KEY (org_id, ref),
    FOREIGN KEY (org_id, entry) REFERENCES credit_entry
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE property_access (
    org_id text NOT NULL REFERENCES credit_account,
    property_id uuid NOT NULL REFERENCES property,
    source text NOT NULL CHECK (source IN ('paid', 'covered')),
    charge_entry integer,
    at timestamptz NOT NULL,
    PRIMARY KEY (org_id, property_id),
    FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
    CHECK ((source = 'paid') = (charge_entry IS NOT NULL))
  )`,
  `CREATE UNIQUE INDEX property_access_charge ON property_access (org_id, charge_entry)`,
  `CREATE TABLE contact_access (
    org_id text NOT NULL REFERENCES credit_account,
    contact_id uuid NOT NULL REFERENCES contact,
    source text NOT NULL CHECK (source IN ('paid', 'free')),
    charge_entry integer,
    at timestamptz NOT NULL,
    PRIMARY KEY (org_id, contact_id),
    FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry,
    CHECK ((source = 'paid') = (charge_entry IS NOT NULL))
  )`,
  `CREATE UNIQUE INDEX contact_access_charge ON contact_access (org_id, charge_entry)`,
  /* What an embedding application sold: one subject of one of its own actions. */
  `CREATE TABLE own_access (
    org_id text NOT NULL REFERENCES credit_account,
    action text NOT NULL CHECK (action ~ '^[a-z][a-z0-9_]{0,63}$'),
    subject_id text NOT NULL CHECK (length(subject_id) BETWEEN 1 AND 200),
    charge_entry integer NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (org_id, action, subject_id),
    FOREIGN KEY (org_id, charge_entry) REFERENCES credit_entry
  )`,
  `CREATE UNIQUE INDEX own_access_charge ON own_access (org_id, charge_entry)`,
  `CREATE TABLE export_usage (
    org_id text NOT NULL REFERENCES credit_account,
    month date NOT NULL,
    exports integer NOT NULL CHECK (exports >= 0),
    PRIMARY KEY (org_id, month)
  ) WITH (fillfactor = 50)`,

  // --- pipeline ---
  `CREATE TABLE lead (
    org_id text NOT NULL REFERENCES organization,
    property_id uuid NOT NULL REFERENCES property,
    status text NOT NULL,
    deal_value double precision,
    qualified_at timestamptz NOT NULL,
    qualified_by jsonb NOT NULL,
    status_changed_at timestamptz NOT NULL,
    version integer NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, property_id)
  )`,
  `CREATE INDEX lead_changed ON lead (org_id, status_changed_at DESC, property_id)`,
  `CREATE TABLE lead_stage_history (
    org_id text NOT NULL,
    property_id uuid NOT NULL,
    version integer NOT NULL,
    from_status text,
    to_status text NOT NULL,
    at timestamptz NOT NULL,
    actor jsonb NOT NULL,
    by_agent boolean NOT NULL,
    deal_value double precision,
    PRIMARY KEY (org_id, property_id, version),
    FOREIGN KEY (org_id, property_id) REFERENCES lead
  )`,
  `CREATE TABLE customer_account (
    org_id text NOT NULL REFERENCES organization,
    property_id uuid NOT NULL REFERENCES property,
    status text NOT NULL CHECK (status IN ('active', 'churned')),
    PRIMARY KEY (org_id, property_id)
  )`,
  `CREATE TABLE note (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL,
    property_id uuid NOT NULL REFERENCES property,
    content text NOT NULL,
    author text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id)
  )`,
  `CREATE INDEX note_of_property ON note (org_id, property_id, created_at DESC)`,
  `CREATE TABLE task (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL,
    property_id uuid NOT NULL REFERENCES property,
    title text NOT NULL,
    description text,
    type text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'done', 'cancelled')),
    due_at timestamptz,
    assignee_name text,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    PRIMARY KEY (org_id, id)
  )`,
  `CREATE INDEX task_of_property ON task (org_id, property_id, created_at DESC)`,

  `CREATE TABLE list (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL,
    list_name text NOT NULL CHECK (length(list_name) BETWEEN 1 AND 200),
    list_type text NOT NULL CHECK (list_type IN ('properties', 'contacts')),
    visibility text NOT NULL,
    owner_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id)
  )`,
  `CREATE TABLE list_item (
    org_id text NOT NULL,
    list_id uuid NOT NULL,
    item_id uuid NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, list_id, item_id),
    FOREIGN KEY (org_id, list_id) REFERENCES list
  )`,

  // --- events and deliveries ---
  `CREATE TABLE event (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL,
    type text NOT NULL,
    property_id uuid REFERENCES property,
    subject_type text,
    subject_id text,
    withdraws_event_id uuid,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'fanned_out', 'skipped')),
    skip_reason text,
    by_agent boolean NOT NULL,
    test boolean NOT NULL DEFAULT false,
    /* The property was neither unlocked nor covered when this happened. */
    partial boolean NOT NULL DEFAULT false,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fanned_out_at timestamptz,
    PRIMARY KEY (org_id, id),
    CHECK ((status = 'skipped') = (skip_reason IS NOT NULL))
  )`,
  `CREATE INDEX event_recorded ON event (org_id, type, created_at, id)`,
  `CREATE INDEX event_pending ON event (created_at) WHERE status = 'pending'`,
  `CREATE TABLE webhook_endpoint (
    org_id text NOT NULL REFERENCES organization,
    id uuid NOT NULL UNIQUE,
    url text NOT NULL,
    target_key text NOT NULL,
    label text,
    events text[] NOT NULL,
    include_evidence boolean NOT NULL DEFAULT false,
    active boolean NOT NULL DEFAULT true,
    disabled_reason text,
    created_via text NOT NULL CHECK (created_via IN ('api', 'manual', 'zapier')),
    secret_sealed bytea NOT NULL,
    previous_secret_sealed bytea,
    previous_secret_until timestamptz,
    consecutive_failures integer NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    CHECK (active = (disabled_reason IS NULL))
  )`,
  `CREATE UNIQUE INDEX webhook_endpoint_target ON webhook_endpoint (org_id, target_key) WHERE active`,
  `CREATE TABLE delivery (
    id uuid PRIMARY KEY,
    org_id text NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    property_id uuid,
    test boolean NOT NULL,
    partial boolean NOT NULL,
    state text NOT NULL DEFAULT 'queued',
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 5),
    claim integer NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    due_at timestamptz NOT NULL DEFAULT now(),
    data text,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (event_id, endpoint_id),
    FOREIGN KEY (org_id, event_id) REFERENCES event,
    FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoint
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE INDEX delivery_due ON delivery (due_at, id)`,
  `CREATE INDEX delivery_of_endpoint ON delivery (endpoint_id, due_at)`,
  `CREATE TABLE delivery_log (
    id uuid NOT NULL,
    org_id text NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    property_id uuid,
    test boolean NOT NULL,
    partial boolean NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    data text,
    created_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    PRIMARY KEY (id)
  )`,
  `CREATE INDEX delivery_log_of_endpoint ON delivery_log (endpoint_id, created_at DESC)`,
  `CREATE TABLE delivery_attempt (
    delivery_id uuid NOT NULL,
    attempt integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    status integer,
    error text,
    duration_ms integer NOT NULL,
    PRIMARY KEY (delivery_id, attempt, at)
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
