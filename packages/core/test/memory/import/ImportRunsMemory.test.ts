import * as ImportRunsMemory from "@freehold/core/memory/import/ImportRunsMemory"
import { importRunsContract } from "@freehold/core/testing/ImportRunsContract"

importRunsContract("memory", ImportRunsMemory.layer)
