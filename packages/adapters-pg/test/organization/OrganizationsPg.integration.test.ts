import { organizationsContract } from "@freehold/core/testing/OrganizationsContract"
import { Layer } from "effect"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

organizationsContract("PostgreSQL", Layer.provide(OrganizationsPg.layer, TestDatabase.layer))
