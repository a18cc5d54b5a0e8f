import { z } from 'zod'
import { zVerb, zVerbWith } from '../../targets/adapters/z-verb.ts'
import { targetMembers, zSecret, zSigner } from '../../targets/target-members.ts'

const zAddress = z.url({ protocol: /^https?$/ })

const zParty = z.strictObject({
  clientId: z.string().min(1).meta({ example: 'relying-party' }),
  clientSecret: zSecret.meta({ example: '$CLIENT_SECRET' }),
  redirectUri: zAddress
    .describe('Registered for the client; no server has to listen there.')
    .meta({ example: 'http://127.0.0.1:9/callback' }),
})

/** An IDP under test: where it is, and the relying parties that the kit plays. */
export const zIdpTarget = z.strictObject({
  ...targetMembers('idp'),
  issuer: zAddress
    .describe('The OpenID Connect issuer; its verifier must trust the registries of the kit.')
    .meta({ example: 'https://idp.example' }),
  client: zParty.describe('The relying party that logs users in.'),
  secondClient: zParty
    .optional()
    .describe('A second client, for what one client must not do with the codes of the other.'),
  scope: z
    .string()
    .default('openid profile email openid-vp-lear')
    .describe('Scopes of the login that a wallet answers.'),
  walletLogin: z
    .boolean()
    .default(true)
    .describe('False if users log in without a wallet: only the checks that need none are run.'),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .default('basic')
    .describe("How to send the clients' secrets."),
  patience: z
    .number()
    .positive()
    .max(300)
    .default(10)
    .describe("Seconds from the wallet's response to the verdict, at most."),
  continueAt: z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .optional()
    .describe(
      'Where the login page continues once its session has ended; by default it is reloaded.',
    )
    .meta({ template: true, example: 'https://idp.example/continue?session={session}' }),
  internalEndpoints: z
    .array(zAddress)
    .min(1)
    .optional()
    .describe(
      'Integration endpoints that require an API key and through which verdicts reach the IDP.',
    )
    .meta({ example: '[https://idp.example/internal/results]' }),
  signer: zSigner.optional(),
  adapter: z
    .strictObject({
      'advance-clock': zVerbWith('seconds').describe(
        'Moves the clock of the IDP ahead by the given number of seconds.',
      ),
      'reset-clock': zVerb.optional().describe('Restores the IDP’s real time.'),
    })
    .optional()
    .describe('How the kit moves the clock of the IDP.'),
})

export type IdpTarget = z.infer<typeof zIdpTarget>
export type IdpParty = z.infer<typeof zParty>
