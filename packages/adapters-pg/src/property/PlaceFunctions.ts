/**
 * The county of what is tied to a property, kept by triggers whoever writes: so who is seen in an area, and what changed
 * there, is told without the properties.
 */
import * as Comment from "../database/Comment.ts"

/** Tables that tie something to a property. */
export const tied = ["property_contact", "withheld_property_contact", "property_firm", "withheld_property_firm"]

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION tie_placed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM property WHERE id = NEW.property_id FOR KEY SHARE;
    SELECT p.county_fips INTO NEW.county_fips FROM property p
    WHERE p.id = NEW.property_id AND p.retired_into IS NULL;
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "tie_placed",
    `
    Trigger of ties: their county is that of the property, null when it is retired. The lock waits for a move
    (property_moved), and holds up a later one; only what is read after it is the new place. A load that locked the
    properties itself, and brings their counties, does without (freehold.placed).
  `
  ),

  `CREATE OR REPLACE FUNCTION change_placed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT p.county_fips INTO NEW.county_fips FROM property own JOIN property p ON p.id = coalesce(own.retired_into, own.id)
    WHERE own.id = NEW.property_id;
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "change_placed",
    `
    Trigger of property_change: its county is that of the property, or of the one that it was merged into.
  `
  ),

  `CREATE OR REPLACE FUNCTION property_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM property WHERE id = NEW.id FOR UPDATE;
    ${
    tied.map((table) => `
    UPDATE ${table} t SET county_fips = CASE WHEN NEW.retired_into IS NULL THEN NEW.county_fips END
    WHERE t.property_id = NEW.id;`).join("")
  }
    UPDATE property_change c SET county_fips = p.county_fips
    FROM property own JOIN property p ON p.id = coalesce(own.retired_into, own.id)
    WHERE c.property_id = own.id AND (own.id = NEW.id OR own.retired_into = NEW.id);
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "property_moved",
    `
    Trigger of property: ties and changes follow it to its new county. The lock waits for those who are tying
    something to it, so that their ties are among those that move.
  `
  )
]
