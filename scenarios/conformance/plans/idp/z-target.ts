import { z } from 'zod'

const zUrl = z.url({ protocol: /^https?$/ })

const zParty = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Registered for it; nothing has to listen there. */
  redirectUri: zUrl,
})

/** An IDP under test: where it is, and the relying parties that the kit plays. */
export const zIdpTarget = z.object({
  /** The OpenID Connect issuer. */
  issuer: zUrl,
  client: zParty,
  /** A second one, for what one client must not do with another's codes. */
  secondClient: zParty.optional(),
  /** Of the login that a wallet answers. */
  scope: z.string().default('openid profile email openid-vp-lear'),
  /** How the client's secret is sent. */
  clientAuthentication: z.enum(['basic', 'body']).default('basic'),
  /** Seconds that the IDP may take from the wallet's answer to its verdict. */
  patience: z.number().positive().default(10),
})

export type IdpTarget = z.infer<typeof zIdpTarget>
export type IdpParty = z.infer<typeof zParty>
