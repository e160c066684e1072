/** What tells those who watch how things stand: on a port of its own where one is set, and as the server's readiness. */
import { Layer } from "effect"
import { watchClients } from "../DatabaseClients.ts"
import * as WatchServer from "./WatchServer.ts"

export const watching = WatchServer.layer.pipe(Layer.provide(watchClients))
