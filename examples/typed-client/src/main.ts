import * as Client from "@freehold/http-host/Client"

const { API = "http://127.0.0.1:8080/v1", KEY = "" } = process.env

const freehold = Client.make({ baseUrl: API, apiKey: KEY })
const unreachable = (): never => {
  console.error(`no server answers at ${API}; start one with: npx freehold serve --demo`)
  return process.exit(1)
}
const answer = await freehold.call("POST /properties/{id}/unlock", { id: "53903-DEMO00001" }).catch(unreachable)
if (answer.success) console.log(answer.data.creditsCharged)
else if (answer.code === "INSUFFICIENT_CREDITS") console.log(answer.detail.required)
else console.log(answer.status, answer.error)
