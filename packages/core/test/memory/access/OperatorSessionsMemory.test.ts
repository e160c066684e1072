import * as OperatorSessionsMemory from "@freehold/core/memory/access/OperatorSessionsMemory"
import * as SessionsMemory from "@freehold/core/memory/access/SessionsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { operatorSessionsContract } from "@freehold/core/testing/OperatorSessionsContract"
import { Layer } from "effect"

operatorSessionsContract(
  "memory",
  Layer.mergeAll(OperatorSessionsMemory.layer, SessionsMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)
