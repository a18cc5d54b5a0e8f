import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { type DidEnvironment, didPrefixes, parseDidOrg } from '#core/did/did-org.ts'
import { zAddress, zHash, zHexBytes, zHexQuantity } from '#core/ethereum/hex.ts'
import { zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { publishedIssuerTypes } from './issuer-types.ts'

const didOf = (environment: DidEnvironment) =>
  z
    .string()
    .refine(
      (text) => parseDidOrg(text)?.environment === environment,
      `must be a DID that begins with ${didPrefixes[environment]}`,
    )

/**
 * params[0] of setAttributeMetadata (Document 2, TIR, Methods).
 *
 * @row 2.limits.5
 */
export const zSetAttributeMetadata = (environment: DidEnvironment) =>
  z.object({
    from: zAddress.describe('Address of the signer'),
    did: didOf(environment).describe('The subject that receives the role'),
    revisionId: zHash.describe('Equals the reservedAttributeId of the accreditation'),
    issuerType: z.enum(publishedIssuerTypes),
    taoDid: didOf(environment).describe('The TAO or RTAO that accredits the subject'),
    attributeIdTao: zHash.describe("The parent's own attribute"),
  })

/** params[0] of setAttributeData (Document 2, TIR, Methods). */
export const zSetAttributeData = (environment: DidEnvironment) =>
  z.object({
    from: zAddress.describe('Address of the signer'),
    did: didOf(environment).describe('The subject'),
    attributeId: zHash.describe('The revisionId used in setAttributeMetadata'),
    attributeData: zHexBytes
      .refine((text) => text.length > 2, 'must hold the accreditation')
      .refine((text) => isUtf8(Buffer.from(text.slice(2), 'hex')), 'must be UTF-8')
      .describe('The accreditation JWT as UTF-8 bytes'),
  })

/** params[0] of sendSignedTransaction (Document 2, TIR, Methods). */
export const zSendSignedTransaction = z.object({
  protocol: z.literal('eth'),
  unsignedTransaction: zUnsignedTransaction.describe('Exactly as it was returned'),
  r: zHexQuantity,
  s: zHexQuantity,
  v: zHexQuantity.describe('0 or 1, 27 or 28, or the value of EIP-155'),
  signedRawTransaction: zHexBytes.describe('The serialized signed transaction'),
})

export type SendSignedTransaction = z.infer<typeof zSendSignedTransaction>
