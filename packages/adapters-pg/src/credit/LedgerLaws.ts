/**
 * The laws of credits and of what they opened, each as one statement that finds what breaks it.
 *
 * Each fact is compared in one law only, so that one wrong value is reported once, where it belongs: `L1` compares grants
 * with what entries took from them, `L7`, `L9`, `L10` and `L11` compare the entries of one kind each with that, `L13` the
 * account with the entries. Together they say that buckets, grants, entries and the account agree.
 *
 * What one snapshot cannot show has no statement: that entries are never changed (`L4`), that the total does not depend on
 * the order (`L8`), and that crashes leave nothing halfway (`L14`), which would show as a violation of another law.
 */
import { prices } from "@freehold/core/credit/Price"
import type { Law } from "./Law.ts"

/** The allocations of an entry. A value that is no number is null: `L15` tells of it. */
const itemsOf = (entry: string) =>
  `(
  SELECT j.item ->> 'grantRef' AS ref, j.item ->> 'bucket' AS bucket,
    CASE jsonb_typeof(j.item -> 'amount') WHEN 'number' THEN (j.item -> 'amount')::numeric END AS amount
  FROM jsonb_array_elements(
    CASE jsonb_typeof(${entry}.allocations) WHEN 'array' THEN ${entry}.allocations ELSE '[]' END
  ) AS j (item)
)`

/** What each entry took from a grant, or gave back to it. */
const allocation = `(
  SELECT e.org_id, e.entry, e.kind, e.at, i.ref, i.bucket, i.amount
  FROM credit_entry e CROSS JOIN LATERAL ${itemsOf("e")} i
)`

/** What an entry's allocations took from a bucket. */
const taken = (bucket: string) => `coalesce(sum(i.amount) FILTER (WHERE i.bucket = '${bucket}'), 0)`

/**
 * Of entries of one kind: those whose change of the buckets is not what they took. Nearly all took everything from one
 * grant, which is told without taking the list apart.
 */
const unlikeItsAllocations = (kind: "charge" | "expiry") => `
  SELECT e.org_id, 'entry ' || e.entry, 'its buckets are not what it took from its grants'
  FROM credit_entry e
  WHERE e.kind = '${kind}' AND CASE
    WHEN e.allocations -> 1 IS NULL
      AND e.allocations -> 0 -> 'amount' = to_jsonb(-(e.trial + e.included + e.enterprise_pool + e.purchased))
      AND abs(e.trial) + abs(e.included) + abs(e.enterprise_pool) + abs(e.purchased) = -CASE e.allocations -> 0 ->> 'bucket'
        WHEN 'trial' THEN e.trial
        WHEN 'included' THEN e.included
        WHEN 'enterprise_pool' THEN e.enterprise_pool
        WHEN 'purchased' THEN e.purchased
      END
    THEN false
    ELSE (
      SELECT (-e.trial, -e.included, -e.enterprise_pool, -e.purchased) IS DISTINCT FROM (
        ${taken("trial")}, ${taken("included")}, ${taken("enterprise_pool")}, ${taken("purchased")}
      )
      FROM ${itemsOf("e")} i
    )
  END`

/** The buckets of each entry, and what they hold after it. */
const running = `(
  SELECT org_id, entry, kind, trial, included, enterprise_pool, purchased, balance_after,
    sum(trial) OVER so_far AS trial_left, sum(included) OVER so_far AS included_left,
    sum(enterprise_pool) OVER so_far AS enterprise_pool_left, sum(purchased) OVER so_far AS purchased_left
  FROM credit_entry
  WINDOW so_far AS (PARTITION BY org_id ORDER BY entry ROWS UNBOUNDED PRECEDING)
)`

const priceList = Object.entries(prices).map(([action, price]) => `('${action}', ${price})`).join(", ")

export const ledgerLaws: ReadonlyArray<Law> = [
  {
    law: "L1",
    title: "A grant has left what it gave, less what charges and expiries took, plus what refunds gave back",
    statement: `
      SELECT coalesce(g.org_id, m.org_id), 'grant ' || coalesce(g.ref, m.ref, 'without a name'),
        CASE WHEN g.ref IS NULL THEN format('entries move %s %s credits of it, which it never gave', m.amount, m.bucket)
        ELSE format('has %s %s credits left, its entries leave %s', g.remaining, g.bucket, g.amount + coalesce(m.amount, 0))
        END
      FROM credit_grant g
      FULL JOIN (
        SELECT org_id, ref, bucket, sum(CASE kind WHEN 'refund' THEN amount ELSE -amount END) AS amount
        FROM ${allocation} a WHERE kind <> 'grant' GROUP BY org_id, ref, bucket
      ) m ON m.org_id = g.org_id AND m.ref = g.ref AND m.bucket = g.bucket
      WHERE g.ref IS NULL OR g.remaining IS DISTINCT FROM g.amount + coalesce(m.amount, 0)`
  },
  {
    law: "L2",
    title: "No bucket, balance or grant is ever below zero, at any entry",
    statement: `
      SELECT org_id, 'entry ' || entry,
        format('leaves trial %s, included %s, enterprise_pool %s, purchased %s, balance %s', trial_left, included_left,
          enterprise_pool_left, purchased_left, balance_after)
      FROM ${running} r
      WHERE least(trial_left, included_left, enterprise_pool_left, purchased_left, balance_after) < 0
      UNION ALL
      SELECT org_id, 'grant ' || ref, format('has %s credits left', remaining) FROM credit_grant WHERE remaining < 0`
  },
  {
    law: "L3",
    title: "Entries are numbered 1..n, each balance follows from the one before, and the account's version is n",
    statement: `
      SELECT e.org_id, 'entry ' || e.entry, CASE
          WHEN b.entry IS NULL AND e.entry <> 1 THEN format('does not follow an entry %s', e.entry - 1)
          WHEN e.credits IS DISTINCT FROM e.trial + e.included + e.enterprise_pool + e.purchased THEN
            format('moves %s credits, its buckets %s', e.credits, e.trial + e.included + e.enterprise_pool + e.purchased)
          ELSE format('balance_after is %s, expected %s', e.balance_after, coalesce(b.balance_after, 0) + e.credits)
        END
      FROM credit_entry e LEFT JOIN credit_entry b ON b.org_id = e.org_id AND b.entry = e.entry - 1
      WHERE b.entry IS NULL AND e.entry IS DISTINCT FROM 1
        OR e.credits IS DISTINCT FROM e.trial + e.included + e.enterprise_pool + e.purchased
        OR e.balance_after IS DISTINCT FROM coalesce(b.balance_after, 0) + e.credits
      UNION ALL
      SELECT a.org_id, 'account',
        format('version is %s, its last entry %s of %s', a.version, coalesce(e.last, 0), coalesce(e.entries, 0))
      FROM credit_account a
      LEFT JOIN (SELECT org_id, max(entry) AS last, count(*) AS entries FROM credit_entry GROUP BY org_id) e
        ON e.org_id = a.org_id
      WHERE a.version IS DISTINCT FROM coalesce(e.last, 0) OR a.version IS DISTINCT FROM coalesce(e.entries, 0)`
  },
  {
    // A refund closes what its charge opened, so that only charges without a refund have an access. A property that was
    // open when it was researched stays open by the charge before, so that its research may have none of its own. What was
    // bought under an id that was merged away belongs to the survivor, beside what was bought under its own.
    law: "L5",
    title: "Each charge that was not refunded opened exactly one item, and each paid access has its charge",
    statement: `
      SELECT coalesce(c.org_id, a.org_id),
        CASE WHEN c.entry IS NULL THEN a.kind || ' ' || a.id ELSE 'entry ' || c.entry END,
        CASE
          WHEN c.entry IS NOT NULL THEN format('charged for %s %s, which is not recorded as paid by it', c.kind, c.subject_id)
          WHEN a.charge_entry IS NULL THEN 'is recorded as paid without a charge'
          ELSE format('is recorded as paid by entry %s, which is no charge for it that stands', a.charge_entry)
        END
      FROM (
        SELECT e.org_id, e.entry, coalesce(m.heir, e.subject_id) AS subject_id, e.action,
          CASE
            WHEN e.subject_type = 'own' THEN 'own ' || e.action
            WHEN e.action IN ('unlock_property', 'research_property') THEN 'property'
            ELSE 'contact'
          END AS kind
        FROM credit_entry e
        LEFT JOIN credit_entry r ON r.org_id = e.org_id AND r.refund_of = e.entry AND r.kind = 'refund'
        LEFT JOIN (
          SELECT id::text AS id, retired_into::text AS heir FROM property WHERE retired_into IS NOT NULL
        ) m ON m.id = e.subject_id AND e.subject_type = 'property'
        WHERE e.kind = 'charge' AND r.entry IS NULL
          AND (e.action IN ('unlock_property', 'research_property', 'reveal_contact') OR e.subject_type = 'own')
      ) c
      FULL JOIN (
        SELECT org_id, 'property' AS kind, property_id::text AS id, charge_entry FROM property_access WHERE source = 'paid'
        UNION ALL
        SELECT org_id, 'property', property_id::text, charge_entry FROM merged_charge
        UNION ALL
        SELECT org_id, 'contact', contact_id::text, charge_entry FROM contact_access WHERE source = 'paid'
        UNION ALL
        SELECT org_id, 'own ' || action, subject_id, charge_entry FROM own_access
      ) a ON a.org_id = c.org_id AND a.charge_entry = c.entry
      WHERE (a.kind = c.kind AND a.id = c.subject_id) IS NOT TRUE
        AND NOT (c.action = 'research_property' AND c.entry IS NOT NULL AND EXISTS (
          SELECT FROM property_access p
          WHERE p.org_id = c.org_id AND p.property_id::text = c.subject_id AND p.source = 'paid'
        ))
      UNION ALL
      SELECT org_id, 'property ' || property_id, 'is recorded more than once'
      FROM property_access GROUP BY org_id, property_id HAVING count(*) > 1
      UNION ALL
      SELECT org_id, 'contact ' || contact_id, 'is recorded more than once'
      FROM contact_access GROUP BY org_id, contact_id HAVING count(*) > 1
      UNION ALL
      SELECT org_id, 'own ' || action || ' ' || subject_id, 'is recorded more than once'
      FROM own_access GROUP BY org_id, action, subject_id HAVING count(*) > 1`
  },
  {
    // Of what callers were told, the database shows the entries: what can be answered as charged is a price.
    law: "L6",
    title: "A charge is the price of its action, and a charged lead is counted as an export of its month",
    statement: `
      SELECT e.org_id, 'entry ' || e.entry,
        CASE
          WHEN p.price IS NULL AND e.subject_type IS DISTINCT FROM 'own' THEN
            format('charges for %s, which has no price', coalesce(e.action, 'nothing'))
          WHEN p.price IS NOT NULL AND e.subject_type = 'own' THEN format('%s is no action of its own', e.action)
          ELSE format('charges %s for %s, which costs %s', -e.credits, e.action, p.price)
        END
      FROM credit_entry e LEFT JOIN (VALUES ${priceList}) AS p (action, price) ON p.action = e.action
      WHERE e.kind = 'charge' AND CASE
        WHEN e.subject_type = 'own' THEN p.price IS NOT NULL
        ELSE -(e.trial + e.included + e.enterprise_pool + e.purchased) IS DISTINCT FROM p.price
      END
      UNION ALL
      SELECT c.org_id, 'exports of ' || to_char(c.month, 'YYYY-MM'),
        format('%s are counted, %s were charged', coalesce(u.exports, 0), c.charges)
      FROM (
        SELECT org_id, date_trunc('month', at AT TIME ZONE 'UTC')::date AS month, count(*) AS charges
        FROM credit_entry WHERE kind = 'charge' AND action = 'lead_delivery' GROUP BY 1, 2
      ) c
      LEFT JOIN export_usage u ON u.org_id = c.org_id AND u.month = c.month
      WHERE coalesce(u.exports, 0) < c.charges`
  },
  {
    law: "L7",
    title: "A charge takes from its grants, and from a later bucket only what the earlier ones do not have",
    statement: `
      SELECT org_id, 'entry ' || entry,
        format('takes trial %s of %s, included %s of %s, enterprise_pool %s of %s, purchased %s', -trial,
          trial_left - trial, -included, included_left - included, -enterprise_pool,
          enterprise_pool_left - enterprise_pool, -purchased)
      FROM ${running} r
      WHERE kind = 'charge' AND (
        greatest(trial, included, enterprise_pool, purchased) > 0
        OR trial + included + enterprise_pool + purchased >= 0
        OR least(included, enterprise_pool, purchased) < 0 AND trial_left > 0
        OR least(enterprise_pool, purchased) < 0 AND included_left > 0
        OR purchased < 0 AND enterprise_pool_left > 0
      )
      UNION ALL ${unlikeItsAllocations("charge")}`
  },
  {
    law: "L9",
    title: "A reference grants once: each grant entry made one grant of its size, and each grant has its entry",
    statement: `
      SELECT coalesce(e.org_id, g.org_id), CASE WHEN e.entry IS NULL THEN 'grant ' || g.ref ELSE 'entry ' || e.entry END,
        CASE
          WHEN e.entry IS NULL THEN format('no entry %s made it', g.entry)
          WHEN g.ref IS NULL THEN format('made no grant: %s is not a grant of its own', coalesce(e.ref, 'nothing'))
          ELSE format('made grant %s of %s %s credits, which is not what it booked', g.ref, g.amount, g.bucket)
        END
      FROM (SELECT * FROM credit_entry WHERE kind = 'grant') e
      FULL JOIN credit_grant g ON g.org_id = e.org_id AND g.entry = e.entry AND g.ref = e.ref
      WHERE e.entry IS NULL OR g.ref IS NULL OR g.amount <= 0 OR e.allocations <> '[]'
        OR (e.trial, e.included, e.enterprise_pool, e.purchased) IS DISTINCT FROM (
          CASE g.bucket WHEN 'trial' THEN g.amount ELSE 0 END,
          CASE g.bucket WHEN 'included' THEN g.amount ELSE 0 END,
          CASE g.bucket WHEN 'enterprise_pool' THEN g.amount ELSE 0 END,
          CASE g.bucket WHEN 'purchased' THEN g.amount ELSE 0 END
        )
      UNION ALL
      SELECT org_id, 'grant ' || ref, 'is there more than once' FROM credit_grant GROUP BY org_id, ref HAVING count(*) > 1`
  },
  {
    // That a refunded item is open no more is part of L5.
    law: "L10",
    title: "A refund gives one earlier charge back, whole, once, to the grants that it came from",
    statement: `
      SELECT r.org_id, 'entry ' || r.entry, CASE
          WHEN r.refund_of IS NULL THEN 'names no charge'
          WHEN r.kind <> 'refund' THEN format('is a %s and names entry %s', r.kind, r.refund_of)
          WHEN c.entry IS NULL OR c.entry >= r.entry THEN format('entry %s is no charge before it', r.refund_of)
          WHEN r.times > 1 THEN format('entry %s is refunded %s times', r.refund_of, r.times)
          ELSE format('gives back something else than entry %s took', r.refund_of)
        END
      FROM (
        SELECT *, count(*) OVER (PARTITION BY org_id, refund_of) AS times
        FROM credit_entry WHERE kind = 'refund' OR refund_of IS NOT NULL
      ) r
      LEFT JOIN credit_entry c ON c.org_id = r.org_id AND c.entry = r.refund_of AND c.kind = 'charge'
      WHERE r.kind <> 'refund' OR c.entry IS NULL OR c.entry >= r.entry OR r.times > 1
        OR (r.trial, r.included, r.enterprise_pool, r.purchased, r.allocations)
          IS DISTINCT FROM (-c.trial, -c.included, -c.enterprise_pool, -c.purchased, c.allocations)`
  },
  {
    // A decision closes what is gone by its time before it charges; the last entry carries the time of the last one.
    law: "L11",
    title: "Nothing is spent from a grant that is gone, and what is gone is booked by the next entry, not earlier",
    statement: `
      SELECT a.org_id, 'entry ' || a.entry, CASE a.kind
          WHEN 'charge' THEN format('takes from grant %s, which had expired', a.ref)
          ELSE format('expires grant %s before its time', a.ref)
        END
      FROM ${allocation} a
      JOIN credit_grant g ON g.org_id = a.org_id AND g.ref = a.ref
      WHERE a.kind = 'charge' AND g.expires_at <= a.at OR a.kind = 'expiry' AND (g.expires_at > a.at) IS NOT FALSE
      UNION ALL
      SELECT g.org_id, 'grant ' || g.ref, format('had expired by entry %s and still has %s credits', l.entry, g.remaining)
      FROM (SELECT DISTINCT ON (org_id) org_id, entry, at FROM credit_entry ORDER BY org_id, entry DESC) l
      JOIN credit_grant g ON g.org_id = l.org_id AND g.remaining > 0 AND g.expires_at <= l.at AND g.entry <> l.entry
      UNION ALL ${unlikeItsAllocations("expiry")}`
  },
  {
    // Covered and free access is open for as long as its reason lasts; the record of it only says that it was opened.
    law: "I10",
    title: "Access that is covered or free has no charge, and there is no other kind than paid beside it",
    statement: `
      SELECT org_id, 'property ' || property_id, format('is %s, with charge %s', source, coalesce(charge_entry::text, 'none'))
      FROM property_access WHERE source NOT IN ('paid', 'covered') OR source <> 'paid' AND charge_entry IS NOT NULL
      UNION ALL
      SELECT org_id, 'contact ' || contact_id, format('is %s, with charge %s', source, coalesce(charge_entry::text, 'none'))
      FROM contact_access WHERE source NOT IN ('paid', 'free') OR source <> 'paid' AND charge_entry IS NOT NULL`
  },
  {
    law: "L13",
    title: "The account rebuilt from its entries is the account",
    statement: `
      SELECT coalesce(a.org_id, e.org_id), 'account', CASE
          WHEN a.org_id IS NULL THEN 'is missing, though it has entries'
          ELSE format(
            'holds trial %s, included %s, enterprise_pool %s, purchased %s; its entries %s, %s, %s, %s', a.trial, a.included,
            a.enterprise_pool, a.purchased, coalesce(e.trial, 0), coalesce(e.included, 0), coalesce(e.enterprise_pool, 0),
            coalesce(e.purchased, 0))
        END
      FROM credit_account a
      FULL JOIN (
        SELECT org_id, sum(trial) AS trial, sum(included) AS included, sum(enterprise_pool) AS enterprise_pool,
          sum(purchased) AS purchased
        FROM credit_entry GROUP BY org_id
      ) e ON e.org_id = a.org_id
      WHERE a.org_id IS NULL OR (a.trial, a.included, a.enterprise_pool, a.purchased) IS DISTINCT FROM
        (coalesce(e.trial, 0), coalesce(e.included, 0), coalesce(e.enterprise_pool, 0), coalesce(e.purchased, 0))`
  },
  {
    law: "L15",
    title: "Credits are whole numbers",
    statement: `
      SELECT a.org_id, 'entry ' || a.entry,
        format('moves %s credits of grant %s', coalesce(a.amount::text, 'no number of'), coalesce(a.ref, 'nothing'))
      FROM ${allocation} a WHERE (a.amount > 0 AND a.amount = trunc(a.amount)) IS NOT TRUE
      UNION ALL
      SELECT org_id, 'entry ' || entry, 'has no list of what it moved' FROM credit_entry
      WHERE jsonb_typeof(allocations) IS DISTINCT FROM 'array'
      UNION ALL
      SELECT NULL, c.relname || '.' || a.attname, 'is of type ' || format_type(a.atttypid, a.atttypmod)
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.oid IN ('credit_account'::regclass, 'credit_entry'::regclass, 'credit_grant'::regclass)
        AND a.attname IN ('trial', 'included', 'enterprise_pool', 'purchased', 'credits', 'balance_after', 'amount',
          'remaining')
        AND a.atttypid NOT IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype)`
  },
  {
    // What the operator granted by hand under the reference of a month is as the operator wished.
    law: "G3",
    title: "A monthly grant was booked in its month, into the bucket included, to end with the month or never",
    statement: `
      SELECT e.org_id, 'entry ' || e.entry, format('%s grants %s credits at %s, to end %s', e.ref, g.bucket,
        to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
        coalesce(to_char(g.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), 'never'))
      FROM credit_entry e
      JOIN credit_grant g ON g.org_id = e.org_id AND g.ref = e.ref
      WHERE e.kind = 'grant' AND e.actor ->> 'kind' = 'system' AND e.ref LIKE 'monthly:%' AND (
        g.bucket <> 'included' OR e.ref <> 'monthly:' || to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM')
        OR g.expires_at <> (date_trunc('month', e.at AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
      )`
  }
]
