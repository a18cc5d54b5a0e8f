import { z } from 'zod'

/** The one format that the documents present. */
export const presentedFormat = 'jwt_vc_json'

/** A claim that the credential has to contain, as JSONPath texts into the credential's payload. */
export const zClaimQuery = z.looseObject({
  path: z.array(z.string().min(1).max(512)).min(1).max(32),
  /** Of which the claim has to be one, where they are given (OpenID4VP 1.0, 6.3). */
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .max(64)
    .optional(),
})

export const zCredentialQuery = z.looseObject({
  id: z.string().min(1).max(128),
  format: z.literal(presentedFormat),
  meta: z.looseObject({ vct_values: z.array(z.string()).min(1).optional() }).optional(),
  claims: z.array(zClaimQuery).max(64).optional(),
})

/**
 * dcql_query in the documents' dialect: `meta.vct_values` names accepted types and paths are
 * JSONPath texts (Document 1, Presentation authorization_request).
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.7
 */
export const zDcqlQuery = z.looseObject({
  credentials: z.array(zCredentialQuery).min(1).max(16),
})

export type ClaimQuery = z.infer<typeof zClaimQuery>
export type CredentialQuery = z.infer<typeof zCredentialQuery>
export type DcqlQuery = z.infer<typeof zDcqlQuery>
