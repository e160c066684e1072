/** The states and territories of the United States: postal abbreviation and the FIPS prefix of their counties. */

const fipsByAbbr: ReadonlyMap<string, string> = new Map([
  ["AL", "01"], ["AK", "02"], ["AZ", "04"], ["AR", "05"], ["CA", "06"], ["CO", "08"], ["CT", "09"], ["DE", "10"],
  ["DC", "11"], ["FL", "12"], ["GA", "13"], ["HI", "15"], ["ID", "16"], ["IL", "17"], ["IN", "18"], ["IA", "19"],
  ["KS", "20"], ["KY", "21"], ["LA", "22"], ["ME", "23"], ["MD", "24"], ["MA", "25"], ["MI", "26"], ["MN", "27"],
  ["MS", "28"], ["MO", "29"], ["MT", "30"], ["NE", "31"], ["NV", "32"], ["NH", "33"], ["NJ", "34"], ["NM", "35"],
  ["NY", "36"], ["NC", "37"], ["ND", "38"], ["OH", "39"], ["OK", "40"], ["OR", "41"], ["PA", "42"], ["RI", "44"],
  ["SC", "45"], ["SD", "46"], ["TN", "47"], ["TX", "48"], ["UT", "49"], ["VT", "50"], ["VA", "51"], ["WA", "53"],
  ["WV", "54"], ["WI", "55"], ["WY", "56"], ["AS", "60"], ["GU", "66"], ["MP", "69"], ["PR", "72"], ["VI", "78"]
])

const abbrByFips: ReadonlyMap<string, string> = new Map(Array.from(fipsByAbbr, ([abbr, fips]) => [fips, abbr]))

/** All postal abbreviations. */
export const stateAbbrs: ReadonlyArray<string> = [...fipsByAbbr.keys()]

/** The two digits with which the FIPS codes of counties begin. */
export const stateFips: ReadonlyArray<string> = [...abbrByFips.keys()]

const abbrByName: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AL: "Alabama", AK: "Alaska", AZ: "Arizona", AR: "Arkansas", CA: "California", CO: "Colorado", CT: "Connecticut",
    DE: "Delaware", DC: "District of Columbia", FL: "Florida", GA: "Georgia", HI: "Hawaii", ID: "Idaho", IL: "Illinois",
    IN: "Indiana", IA: "Iowa", KS: "Kansas", KY: "Kentucky", LA: "Louisiana", ME: "Maine", MD: "Maryland",
    MA: "Massachusetts", MI: "Michigan", MN: "Minnesota", MS: "Mississippi", MO: "Missouri", MT: "Montana",
    NE: "Nebraska", NV: "Nevada", NH: "New Hampshire", NJ: "New Jersey", NM: "New Mexico", NY: "New York",
    NC: "North Carolina", ND: "North Dakota", OH: "Ohio", OK: "Oklahoma", OR: "Oregon", PA: "Pennsylvania",
    RI: "Rhode Island", SC: "South Carolina", SD: "South Dakota", TN: "Tennessee", TX: "Texas", UT: "Utah",
    VT: "Vermont", VA: "Virginia", WA: "Washington", WV: "West Virginia", WI: "Wisconsin", WY: "Wyoming",
    AS: "American Samoa", GU: "Guam", MP: "Northern Mariana Islands", PR: "Puerto Rico", VI: "Virgin Islands"
  }).map(([abbr, name]) => [name.toLowerCase(), abbr])
)

/** The postal abbreviation of what names a state, in any case: `TX`, `tx` or `Texas`; undefined for what is no state. */
export const stateNamed = (text: string): string | undefined => {
  const abbr = text.toUpperCase()
  return fipsByAbbr.has(abbr) ? abbr : abbrByName.get(text.toLowerCase())
}

/** The two-digit FIPS code of a state, undefined for what is no state. */
export const fipsOf = (abbr: string): string | undefined => fipsByAbbr.get(abbr)

/** The state of a county, undefined for a prefix that no state has. */
export const stateOfCounty = (countyFips: string): string | undefined => abbrByFips.get(countyFips.slice(0, 2))
