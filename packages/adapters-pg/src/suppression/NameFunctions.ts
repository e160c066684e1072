/** Whether a text names somebody who asked not to be listed: core's `NamedWords` in SQL. */
import { separators } from "@freehold/core/suppression/NamedWords"
import * as Comment from "../database/Comment.ts"

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** What nearly all of a text is of, so that it is found at once (`database/AccentFunctions.ts`). */
const usual = " eaorinstlcdmhupgbyvfwkjxzq0123456789"

const from = literal(usual + separators)
const to = literal(usual + " ".repeat(separators.length))

/** The first two words of a name, by which it is looked up. */
export const firstWords = "(split_part(name_words, ' ', 1) || ' ' || split_part(name_words, ' ', 2))"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION all_words(of_text text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    regexp_replace(' ' || translate(without_accents(lower(of_text)), ${from}, ${to}) || ' ', ' +', ' ', 'g')`,
  Comment.onFunction(
    "all_words",
    "All words of a text, with one space around each, in lower case and without accents."
  ),

  `CREATE OR REPLACE FUNCTION long_words(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    regexp_replace(words, ' (?:[^ ] )*', ' ', 'g')`,
  Comment.onFunction("long_words", "Of all words those of more than one letter."),

  `CREATE OR REPLACE FUNCTION named_words(of_text text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    (SELECT long_words(w.words) || w.words FROM (SELECT all_words(of_text) AS words OFFSET 0) w)`,
  Comment.onFunction(
    "named_words",
    "The words of a text as core's NamedWords has them: those of more than one letter, and then all."
  ),

  `CREATE OR REPLACE FUNCTION person_words(of_name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    CASE
      WHEN btrim(long_words(all_words(of_name))) LIKE '% %' THEN btrim(long_words(all_words(of_name)))
      WHEN btrim(long_words(all_words(of_name))) <> '' AND btrim(all_words(of_name)) LIKE '% %'
        THEN btrim(all_words(of_name))
    END`,
  Comment.onFunction(
    "person_words",
    "The words by which a text names whoever is called so, as core's NamedWords has them; null: there are none."
  ),

  `CREATE OR REPLACE FUNCTION names_suppressed(of_text text) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
  DECLARE
    said text;
    words text[];
    pairs text[];
  BEGIN
    IF of_text IS NULL OR NOT EXISTS (SELECT FROM suppressed_contact) AND NOT EXISTS (SELECT FROM suppressed_owner) THEN
      RETURN false;
    END IF;
    said := named_words(of_text);
    words := string_to_array(said, ' ');
    pairs := ARRAY(SELECT DISTINCT w.one || ' ' || w.next FROM unnest(words, words[2:]) AS w(one, next));
    /* All that begin so, and not whether there is one: for that the planner would read on until it came by it. */
    RETURN coalesce((
      SELECT bool_or(strpos(said, ' ' || k.name_words || ' ') > 0) FROM (
        SELECT name_words FROM suppressed_contact WHERE ${firstWords} = ANY(pairs)
        UNION ALL SELECT name_words FROM suppressed_owner WHERE ${firstWords} = ANY(pairs)
      ) k
    ), false);
  END $$`,
  Comment.onFunction(
    "names_suppressed",
    "Whether a text names a person or an owner who asked not to be listed. The first two words of the names are looked up."
  ),

  `CREATE OR REPLACE FUNCTION tells_of(of_text text, person contact) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    said CONSTANT text := lower(of_text);
    words CONSTANT text := person_words(person.full_name);
    plain text;
  BEGIN
    IF strpos(said, person.id::text) > 0 OR coalesce(strpos(said, lower(person.email)) > 0, false) THEN RETURN true; END IF;
    plain := CASE WHEN octet_length(said) = char_length(said) THEN said ELSE without_accents(said) END;
    /* To find the words takes long: only where there are the first and the last of them. */
    RETURN coalesce(
      strpos(plain, split_part(words, ' ', 1)) > 0 AND strpos(plain, split_part(words, ' ', -1)) > 0
      /* JSON has the end of a line as two characters. */
      AND strpos(named_words(replace(of_text, '\\n', ' ')), ' ' || words || ' ') > 0,
      false
    );
  END $$`,
  Comment.onFunction("tells_of", "Whether a text, or JSON, names a person, or has their email or id in it."),

  `CREATE OR REPLACE FUNCTION written_listed(result jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
  BEGIN
    CASE result ->> '_tag'
      WHEN 'Draft' THEN
        IF names_suppressed(concat_ws(' ', result #>> '{draft,subject}', result #>> '{draft,body}')) THEN RETURN NULL; END IF;
      WHEN 'Strategy' THEN
        IF names_suppressed(concat_ws(' ', result #>> '{strategy,summary}', result #>> '{strategy,approach}')) THEN
          RETURN NULL;
        END IF;
        RETURN jsonb_set(result, '{strategy,points}', coalesce((
          SELECT jsonb_agg(p.point ORDER BY p.place)
          FROM jsonb_array_elements_text(result #> '{strategy,points}') WITH ORDINALITY AS p(point, place)
          WHERE NOT names_suppressed(p.point)
        ), '[]'));
      WHEN 'Claims' THEN
        RETURN jsonb_set(result, '{claims}', coalesce((
          SELECT jsonb_agg(c.claim ORDER BY c.place)
          FROM jsonb_array_elements(result -> 'claims') WITH ORDINALITY AS c(claim, place)
          WHERE NOT names_suppressed(concat_ws(' ', c.claim ->> 'quote', c.claim ->> 'values'))
        ), '[]'));
      ELSE NULL;
    END CASE;
    RETURN result;
  END $$`,
  Comment.onFunction(
    "written_listed",
    "What may be told of what research wrote or found: the points and the claims that name nobody who is suppressed; null: nothing."
  ),

  `CREATE OR REPLACE FUNCTION suppressed_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE suppressed_contact s SET name_words = person_words(NEW.full_name)
    WHERE s.contact_id = NEW.id AND NEW.key <> 'erased:' || NEW.id;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "suppressed_renamed",
    "Trigger of contact: the words of the name of a suppressed person are kept beside the suppression."
  )
]
