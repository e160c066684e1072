/** How firms and people are tied to properties. */

/** Where it is known from. */
export const attributionTypes = [
  "county_record",
  "beneficial_research",
  "management_research",
  "mailing_address_match",
  "business_registry",
  "customer_supplied",
  "web"
] as const
