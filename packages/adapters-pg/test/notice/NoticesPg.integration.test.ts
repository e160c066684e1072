/** `Notices` and `NoticeMails` over PostgreSQL: the contract. */
import { noticesContract } from "@freehold/core/testing/NoticesContract"
import { Layer } from "effect"
import * as NoticeMailsPg from "../../src/notice/NoticeMailsPg.ts"
import * as NoticesPg from "../../src/notice/NoticesPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

noticesContract(
  "PostgreSQL",
  Layer.mergeAll(NoticesPg.layer, NoticeMailsPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)
