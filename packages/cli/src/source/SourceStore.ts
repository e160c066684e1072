/** The sources of the installation, over PostgreSQL; their secrets are sealed. */
import * as SourcesPg from "@freehold/adapters-pg/source/SourcesPg"
import { Layer } from "effect"
import { sealer } from "../composition/Sealing.ts"

export const sourceStore = SourcesPg.layer.pipe(Layer.provide(sealer))
