import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { zBaseUrl, zHolderSuites, zMetricNamespace } from '#kit/z-fields.ts'

/** Configuration of the verifier: the verification service behind the IDP (the profile). */
export const zVerifierConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address, below which request_uri and response_uri lie'),
  databaseUrl: z.string().default('sqlite::memory:').describe('Where sessions are kept'),
  metricNamespace: zMetricNamespace.default('verifier'),
  environment: z.enum(['pre', 'pro']).describe('The environment whose DIDs and TIR count'),
  apiKeys: z.array(z.string().min(16)).min(1).describe('Values of x-api-key that IDPs may send'),
  idpUrl: zBaseUrl.describe('Address of the IDP that is told of verdicts'),
  idpApiKey: z.string().min(1).describe('The x-api-key to send to the IDP'),
  didRegistryBaseUrl: zBaseUrl.describe('Address of the DID registry'),
  tirBaseUrl: zBaseUrl.describe('Base address of the TIR, as termsOfUse.id has it'),
  rootDids: z.array(z.string()).min(1).describe('DIDs of the roots of trust (RTAO)'),
  credentialIssuerUrls: z
    .array(zBaseUrl)
    .default([])
    .describe('Base addresses of credential issuers; status lists are fetched below these alone'),
  internalUrls: z
    .record(zBaseUrl, zBaseUrl)
    .default({})
    .describe('Base addresses to use in place of public ones, for example between containers'),
  checkCredentialStatus: z.boolean().default(true).describe('Refuse revoked credentials'),
  verifierDid: z
    .string()
    .describe('Registered DID of this verifier, the client_id of its requests'),
  verifierPrivateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .describe('Its secp256k1 key, which signs the requests'),
  verifierVMethodId: z.string().describe('vMethodId of that key in the DID document'),
  credentialTypes: zCredentialTypes
    .prefault([...defaultCredentialTypes])
    .describe('The credential types that it knows, for the inheritance chain of the accepted one'),
  holderSuites: zHolderSuites.describe('Suites of presentations that it accepts and declares'),
  requestedClaims: z
    .array(z.string())
    .default(['$.vc.credentialSubject.mandate'])
    .describe('JSONPath texts that a wallet’s credential has to contain'),
  sessionLifetimeSeconds: z
    .int()
    .positive()
    .default(qrExpirationSeconds)
    .describe('Lifetime of a session where the IDP does not ask for another'),
  sessionRetentionSeconds: z
    .int()
    .positive()
    .default(7 * 86_400)
    .describe('How long sessions and their explanations are kept'),
  lookupTimeoutMilliseconds: z
    .int()
    .positive()
    .default(5000)
    .describe('Time limit of each request to a registry or a status list'),
  reportRetryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('Pause before a verdict that did not reach the IDP is sent again'),
})

export type VerifierConfig = z.infer<typeof zVerifierConfig>
