import { z } from 'zod'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import { zPowers } from '#core/power/power.ts'
import { type Verb, zVerb, zVerbWith } from '../../targets/adapters/z-verb.ts'
import { targetMembers } from '../../targets/target-members.ts'

const zBaseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !url.endsWith('/'), 'must not end in a slash')

/** How the issuer under test is brought to make offers and to let time pass. */
const zIssuerAdapter = z.strictObject({
  'create-offer': zVerb.describe(
    'Makes an offer, by value and without a PIN. What it writes or answers holds its link.',
  ),
  'create-offer-with-pin': zVerb
    .optional()
    .describe('Makes one that asks for a PIN of several digits; its answer holds the PIN as well.'),
  'create-offer-by-reference': zVerb
    .optional()
    .describe('Makes one whose link carries the address of the offer.'),
  'create-deferred-offer': zVerb
    .optional()
    .describe('Makes one whose credential is not ready when it is asked for.'),
  'advance-clock': zVerbWith('seconds')
    .optional()
    .describe('Moves the clock of the issuer, and of what it relies on, so many seconds ahead.'),
  'reset-clock': zVerb.optional().describe('Gives the issuer the real time again.'),
}) satisfies z.ZodType<Record<string, Verb | undefined>>

/** The side of the issuer that portals of organizations use. */
const zPortal = z.strictObject({
  issuerBaseUrl: zBaseUrl
    .describe('Its endpoints /issuance/… lie below it.')
    .meta({ example: 'https://issuer.example' }),
  organizationIdentifier: z
    .string()
    .min(1)
    .describe('Of the organization that the representative acts for.')
    .meta({ example: 'VATES-A12345678' }),
  power: zPowers.describe('Powers that the organization may grant, without wildcards.'),
  'create-bearer-token': zVerbWith('omit', 'expires_in').describe(
    'Mints a Bearer token of the representative, without the claim {omit}, for {expires_in} seconds.',
  ),
})

// Nothing of the kit listens: it is the client of an issuer.
const { kit: _, ...members } = targetMembers('issuer')

/** A credential issuer that somebody else wrote; the kit plays the wallet, and the portal. */
export const zIssuerTarget = z.strictObject({
  ...members,
  credentialIssuer: zBaseUrl
    .describe('Its credential_issuer; metadata and endpoints lie below it.')
    .meta({ example: 'https://issuer.example' }),
  environment: z
    .enum(['pre', 'pro'])
    .default('pre')
    .describe('The environment that its DID and its accreditation are of.'),
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
    .describe("Of the keys of the kit's wallets, where a check is not about it."),
  pin: z
    .string()
    .min(1)
    .optional()
    .describe('The PIN of its offers with one, where it is always the same.'),
  offerLifetimeSeconds: z
    .int()
    .positive()
    .default(300)
    .describe('For how long a code can be redeemed, its QR_EXPIRATION_TIME.'),
  deferredSeconds: z
    .int()
    .positive()
    .max(600)
    .default(30)
    .describe('After that the credential of a deferred offer is ready.'),
  adapter: zIssuerAdapter,
  portal: zPortal.optional(),
})

export type IssuerTarget = z.infer<typeof zIssuerTarget>
export type PortalTarget = z.infer<typeof zPortal>
export type IssuerAdapter = IssuerTarget['adapter']
