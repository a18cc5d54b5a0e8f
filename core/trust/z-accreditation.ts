import { z } from 'zod'

/** One entry of what a subject may issue, or accredit others to issue. */
export const zAccreditedFor = z.looseObject({
  schemaId: z.string().optional(),
  types: z.array(z.string()).min(1),
})

/**
 * The payload of an accreditation: a JWT credential of the accrediting TAO about its subject.
 *
 * @assumption A-17
 */
export const zAccreditation = z.looseObject({
  iss: z.string(),
  sub: z.string().optional(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
  vc: z.looseObject({
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
    credentialSubject: z.looseObject({
      id: z.string(),
      reservedAttributeId: z.string(),
      accreditedFor: z.array(zAccreditedFor).min(1),
    }),
    termsOfUse: z.unknown().optional(),
  }),
})

export type AccreditedFor = z.infer<typeof zAccreditedFor>
export type Accreditation = z.infer<typeof zAccreditation>
