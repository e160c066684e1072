/** What the operator's people ask for in their area of the app. */
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import { OperatorCatalogue } from "@freehold/core/catalogue/OperatorCatalogue"
import { Layer } from "effect"
import { operatorClients } from "../DatabaseClients.ts"
import * as UploadedFiles from "../import/UploadedFiles.ts"
import * as OperatorInstallation from "../OperatorInstallation.ts"
import { records } from "../Records.ts"
import { endpoints, serviceSettingsOf } from "./Sealing.ts"

/** What the operator's people ask for, over connections of its own. */
export const operatorArea = (publicUrl: string) =>
  Layer.fresh(
    OperatorCatalogue.layer.pipe(
      Layer.provide([
        OperatorInstallation.layer,
        UploadedFiles.layer,
        AuditorPg.layer,
        endpoints,
        serviceSettingsOf(publicUrl)
      ]),
      Layer.provide(records)
    )
  ).pipe(Layer.provide(operatorClients))
