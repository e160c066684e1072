/** The settings of research and drafts: entries of `SettingList`. */
import { optional, withDefault } from "./Setting.ts"
import * as Form from "./SettingForm.ts"

export const researchSettings = {
  researcherKind: optional("FREEHOLD_RESEARCHER", Form.researcher, {
    group: "Research and drafts",
    meaning:
      "Who finds out what research asks for: `imported` answers with what was imported, `remote` is the system at "
      + "FREEHOLD_RESEARCHER_URL, `finder` reads sites of firms and has a language model propose what stands there; see "
      + "research.md.",
    unset: "remote where FREEHOLD_RESEARCHER_URL is set, else imported",
    example: "finder"
  }),
  researcherUrl: optional("FREEHOLD_RESEARCHER_URL", Form.webAddress, {
    group: "Research and drafts",
    meaning: "A system of your own that researches; see research.md. Set together with FREEHOLD_RESEARCHER_SECRET.",
    unset: "what was imported answers",
    example: "https://research.example.com/jobs"
  }),
  researcherSecret: optional("FREEHOLD_RESEARCHER_SECRET", Form.sharedSecret, {
    group: "Research and drafts",
    meaning: "Signs the jobs for the researcher, and its answers.",
    unset: "no researcher of your own",
    example: "bWFkZSB1cCBmb3IgdGhlIHBhZ2UsIG5vdCBhIGtleSE="
  }),
  researchTimeout: withDefault("FREEHOLD_RESEARCHER_TIMEOUT", Form.storedTimeout, {
    group: "Research and drafts",
    meaning: "How long the researcher's answer may take.",
    standard: "1 hour",
    example: "20 minutes"
  }),
  finderUrl: optional("FREEHOLD_FINDER_URL", Form.webAddress, {
    group: "Research and drafts",
    meaning: "An OpenAI-compatible endpoint whose language model reads for the finder. Set together with "
      + "FREEHOLD_FINDER_MODEL.",
    unset: "there is no finder",
    example: "https://models.example.com/v1"
  }),
  finderModel: optional("FREEHOLD_FINDER_MODEL", Form.text, {
    group: "Research and drafts",
    meaning: "The name of the model.",
    unset: "there is no finder",
    example: "example-large"
  }),
  finderKey: optional("FREEHOLD_FINDER_KEY", Form.secretText, {
    group: "Research and drafts",
    meaning: "The bearer token that the endpoint asks for.",
    unset: "none is sent",
    example: "made-up-token"
  }),
  finderTimeout: withDefault("FREEHOLD_FINDER_TIMEOUT", Form.timeout, {
    group: "Research and drafts",
    meaning: "How long the model may take over one job, which has 100 seconds for everything.",
    standard: "1 minute",
    example: "30 seconds"
  }),
  finderTargets: withDefault("FREEHOLD_FINDER_TARGETS", Form.targetPolicy, {
    group: "Research and drafts",
    meaning:
      "Where sites of firms may be read from: `public` is https and public addresses only, `any` is http, private and "
      + "loopback too, for development; no name server is asked about email then.",
    standard: "public",
    example: "any"
  }),
  drafterUrl: optional("FREEHOLD_DRAFTER_URL", Form.webAddress, {
    group: "Research and drafts",
    meaning: "An OpenAI-compatible endpoint whose language model writes drafts; see research.md. Set together with "
      + "FREEHOLD_DRAFTER_MODEL.",
    unset: "templates write drafts",
    example: "https://models.example.com/v1"
  }),
  drafterModel: optional("FREEHOLD_DRAFTER_MODEL", Form.text, {
    group: "Research and drafts",
    meaning: "The name of the model.",
    unset: "templates write drafts",
    example: "example-large"
  }),
  drafterKey: optional("FREEHOLD_DRAFTER_KEY", Form.secretText, {
    group: "Research and drafts",
    meaning: "The bearer token that the endpoint asks for.",
    unset: "none is sent",
    example: "made-up-token"
  }),
  drafterTimeout: withDefault("FREEHOLD_DRAFTER_TIMEOUT", Form.timeout, {
    group: "Research and drafts",
    meaning: "How long the model may take; after that a template writes the draft.",
    standard: "30 seconds",
    example: "1 minute"
  })
}
