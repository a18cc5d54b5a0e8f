import { z } from 'zod'

/**
 * An accreditation as the TIR serves it (Document 2, TIR attribute). `hash` is the attributeId
 * without 0x. Foreign registries may lack `attributeIdTao`.
 *
 * @assumption A-16
 */
export const zTirAttribute = z.looseObject({
  did: z.string(),
  attribute: z.looseObject({
    body: z.string(),
    hash: z.string(),
    issuerType: z.enum(['RTAO', 'TAO', 'TI', 'REVOKED']),
    rootTao: z.string(),
    tao: z.string(),
    attributeIdTao: z.string().optional(),
  }),
})

export type TirAttribute = z.infer<typeof zTirAttribute>
