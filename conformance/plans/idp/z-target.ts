import { z } from 'zod'
import { targetMembers, zSecret } from '../../targets/target-members.ts'

const zAddress = z.url({ protocol: /^https?$/ })

const zParty = z.strictObject({
  clientId: z.string().min(1).meta({ example: 'relying-party' }),
  clientSecret: zSecret.meta({ example: '$CLIENT_SECRET' }),
  redirectUri: zAddress
    .describe('Registered for it; nothing has to listen there.')
    .meta({ example: 'http://127.0.0.1:9/callback' }),
})

/** An IDP under test: where it is, and the relying parties that the kit plays. */
export const zIdpTarget = z.strictObject({
  ...targetMembers('idp'),
  issuer: zAddress
    .describe('The OpenID Connect issuer; its verifier has to trust the registries of the kit.')
    .meta({ example: 'https://idp.example' }),
  client: zParty.describe('The relying party that logs people in.'),
  secondClient: zParty
    .optional()
    .describe("A second one, for what one client must not do with another's codes."),
  scope: z
    .string()
    .default('openid profile email openid-vp-lear')
    .describe('Of the login that a wallet answers.'),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .default('basic')
    .describe("How the clients' secrets are sent."),
  patience: z
    .number()
    .positive()
    .max(300)
    .default(10)
    .describe("Seconds that it may take from the wallet's answer to its verdict."),
  continueAt: z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .optional()
    .describe(
      'Where the page of a login goes once its session has ended; by default it is loaded again.',
    )
    .meta({ template: true, example: 'https://idp.example/continue?session={session}' }),
  internalEndpoints: z
    .array(zAddress)
    .min(1)
    .optional()
    .describe('Integration endpoints that ask for an API key, by which verdicts reach it.')
    .meta({ example: '[https://idp.example/internal/results]' }),
})

export type IdpTarget = z.infer<typeof zIdpTarget>
export type IdpParty = z.infer<typeof zParty>
