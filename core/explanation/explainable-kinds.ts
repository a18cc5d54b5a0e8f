import type { ExplainableKind } from './explainable-kind.ts'
import { accreditationKind } from './kinds/accreditation.ts'
import { authorizationRequestKind } from './kinds/authorization-request.ts'
import { credentialKind } from './kinds/credential.ts'
import { credentialOfferKind } from './kinds/credential-offer.ts'
import { didDocumentKind } from './kinds/did-document.ts'
import { issuerMetadataKind } from './kinds/issuer-metadata.ts'
import { presentationKind } from './kinds/presentation.ts'
import { proofOfPossessionKind } from './kinds/proof-of-possession.ts'
import { signedRequestKind } from './kinds/signed-request.ts'
import { statusListKind } from './kinds/status-list.ts'
import { tirAttributeKind } from './kinds/tir-attribute.ts'

/** Every kind of message that core explains; the first one that knows an input explains it. */
export const explainableKinds: readonly ExplainableKind[] = [
  signedRequestKind,
  proofOfPossessionKind,
  presentationKind,
  statusListKind,
  accreditationKind,
  credentialKind,
  tirAttributeKind,
  credentialOfferKind,
  authorizationRequestKind,
  issuerMetadataKind,
  didDocumentKind,
]
