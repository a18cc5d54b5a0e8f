import { z } from 'zod'
import { preAuthorizedCodeGrant } from '../grant-types.ts'

/** The PIN that an offer asks for. Its members are optional when read, always given when made. */
export const zTxCode = z.looseObject({
  length: z.int().positive().optional(),
  input_mode: z.string().optional(),
  description: z.string().optional(),
})

/**
 * The wire form of a credential offer (Document 1, credential_offer object). Unknown members and
 * grants are let through.
 */
export const zCredentialOffer = z.looseObject({
  credential_issuer: z.url({ protocol: /^https?$/ }),
  credentials: z.array(z.string().min(1)).min(1),
  grants: z
    .looseObject({
      [preAuthorizedCodeGrant]: z
        .looseObject({ 'pre-authorized_code': z.string().min(1), tx_code: zTxCode.optional() })
        .optional(),
    })
    .optional(),
})

export type CredentialOfferWire = z.infer<typeof zCredentialOffer>

export interface TxCode {
  readonly length?: number
  readonly inputMode?: 'numeric' | 'text'
  readonly description?: string
}

/** A credential offer, whatever dialect it is written in. */
export interface CredentialOffer {
  readonly credentialIssuer: string
  /** Ids of entries in the issuer's metadata. */
  readonly credentials: readonly string[]
  readonly preAuthorizedCode?: string
  /** Absent where no PIN is required. */
  readonly txCode?: TxCode
}
