/** `Sources` over PostgreSQL against its contract. */
import { sourcesContract } from "@freehold/core/testing/SourcesContract"
import { Layer, Redacted } from "effect"
import * as SourcesPg from "../../src/source/SourcesPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"

const sealer = SealerNode.layer(Redacted.make(new Uint8Array(32).fill(5)))

sourcesContract("over PostgreSQL", SourcesPg.layer.pipe(Layer.provide([TestDatabase.layer, sealer])))
