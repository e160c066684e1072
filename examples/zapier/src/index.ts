/** The app as Zapier's platform loads it, by the names of its exports: a connection, a trigger and an action. */
import { version as platformVersion } from "zapier-platform-core"
import packageJson from "../package.json" with { type: "json" }
import { authentication, withKey } from "./authentication.ts"
import { leadQualified } from "./leadQualified.ts"
import { reportOutcome } from "./reportOutcome.ts"

export const { version } = packageJson
export { authentication, platformVersion }
export const beforeRequest = [withKey]
export const triggers = { [leadQualified.key]: leadQualified }
export const creates = { [reportOutcome.key]: reportOutcome }
