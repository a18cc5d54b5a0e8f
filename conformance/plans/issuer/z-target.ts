import { z } from 'zod'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import { zPowers } from '#core/power/power.ts'
import { type Verb, zVerb, zVerbWith } from '../../targets/adapters/z-verb.ts'
import { targetMembers } from '../../targets/target-members.ts'

const zBaseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !url.endsWith('/'), 'must not end in a slash')

/** How the issuer under test creates offers and moves its clock. */
const zIssuerAdapter = z.strictObject({
  'create-offer': zVerb.describe(
    'Creates an offer, by value and without a PIN. The output or response contains its link.',
  ),
  'create-offer-with-pin': zVerb
    .optional()
    .describe(
      'Creates an offer that requires a PIN of several digits; the response also contains the PIN.',
    ),
  'create-offer-by-reference': zVerb
    .optional()
    .describe('Creates an offer whose link contains the address of the offer.'),
  'create-deferred-offer': zVerb
    .optional()
    .describe('Creates an offer whose credential is not ready when it is requested.'),
  'create-offer-of-several': zVerb
    .optional()
    .describe('Creates an offer of at least two credentials, by value and without a PIN.'),
  'advance-clock': zVerbWith('seconds')
    .optional()
    .describe(
      'Moves the clock of the issuer, and of the services that it uses, ahead by the given number of seconds.',
    ),
  'reset-clock': zVerb.optional().describe('Restores the issuer’s real time.'),
}) satisfies z.ZodType<Record<string, Verb | undefined>>

/** An organization with a representative. */
const zOtherOrganization = z.strictObject({
  organizationIdentifier: z
    .string()
    .min(1)
    .describe('Identifier of the other organization.')
    .meta({ example: 'VATES-B87654321' }),
  power: zPowers.describe('Powers that the other organization may grant, without wildcards.'),
  'create-bearer-token': zVerbWith('omit', 'expires_in').describe(
    'Creates a Bearer token of a representative of the other organization.',
  ),
})

/** Claims that the kit can choose if the verb has a placeholder for each. */
export const bearerClaims = ['iss', 'aud', 'nbf'] as const

/** Claims of the person and the organization that the kit can choose in the same way. */
export const personClaims = [
  'organization',
  'user_identifier',
  'email',
  'given_name',
  'family_name',
  'name',
] as const

/** A mailbox that the kit reads. */
const zMailbox = z.strictObject({
  email: z
    .email()
    .describe(
      'An address to which the issuer may send offers, some of them with +Kit.Tag before the @.',
    )
    .meta({ example: 'employee@example.org' }),
  'read-mail': zVerbWith('email').describe(
    'Returns the newest email to {email}, or several with the newest first, as text or in JSON.',
  ),
})

/** The issuer's interface for portals of organizations. */
const zPortal = z.strictObject({
  issuerBaseUrl: zBaseUrl
    .describe('Base address of its endpoints /issuance/….')
    .meta({ example: 'https://issuer.example' }),
  organizationIdentifier: z
    .string()
    .min(1)
    .describe('Identifier of the organization that the representative acts for.')
    .meta({ example: 'VATES-A12345678' }),
  power: zPowers.describe('Powers that the organization may grant, without wildcards.'),
  'create-bearer-token': zVerbWith('omit', 'expires_in', ...bearerClaims, ...personClaims).describe(
    'Creates a Bearer token of the representative: without the claim {omit}, valid for {expires_in} seconds, and with the value of each other placeholder, if it has one, as the claim of that name. The output is the token, or JSON with the member access_token.',
  ),
  mailbox: zMailbox.optional().describe('A mailbox, to check the offers for employees.'),
  other: zOtherOrganization
    .optional()
    .describe(
      'A second organization, to check that each organization reaches only its own records and powers.',
    ),
})

// The kit has no server here: it is the client of an issuer.
const { kit: _, ...members } = targetMembers('issuer')

/** A third-party credential issuer; the kit plays the wallet, and the portal. */
export const zIssuerTarget = z.strictObject({
  ...members,
  credentialIssuer: zBaseUrl
    .describe('Its credential_issuer, the base address of metadata and endpoints.')
    .meta({ example: 'https://issuer.example' }),
  environment: z
    .enum(['pre', 'pro'])
    .default('pre')
    .describe('The environment of its DID and its accreditation.'),
  didRegistryBaseUrl: zBaseUrl
    .optional()
    .describe('Where its DID resolves: GET …/api/v1/identifiers/DID.')
    .meta({ example: 'https://did-registry.example' }),
  tirBaseUrl: zBaseUrl
    .optional()
    .describe('The TIR that its accreditation is in: GET …/v1/issuers/DID/attributes/ID.')
    .meta({ example: 'https://tir.example/trusted-issuers-registry' }),
  rootDids: z
    .array(z.string().startsWith('did:'))
    .min(1)
    .optional()
    .describe('The roots of trust that its accreditation leads to.')
    .meta({ example: '["did:org:uc-pre:z1…"]' }),
  algorithm: z
    .enum(defaultHolderSuites)
    .default('ES256K')
    .describe("Algorithm of the keys of the kit's wallets, in checks that are not about it."),
  pin: z.string().min(1).optional().describe('The PIN of its offers, if it is always the same.'),
  offerLifetimeSeconds: z
    .int()
    .positive()
    .default(300)
    .describe('How long a code can be redeemed, its QR_EXPIRATION_TIME.'),
  deferredSeconds: z
    .int()
    .positive()
    .max(600)
    .default(30)
    .describe('Seconds until the credential of a deferred offer is ready.'),
  adapter: zIssuerAdapter.describe('How the kit obtains offers and moves the clock.'),
  portal: zPortal
    .optional()
    .describe('The interface for portals, and a representative who uses it.'),
})

export type IssuerTarget = z.infer<typeof zIssuerTarget>
export type PortalTarget = z.infer<typeof zPortal>
