import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { zBaseUrl, zDatabaseUrl, zHolderSuites, zMetricNamespace } from '#kit/z-fields.ts'

/** Configuration of the verifier: the verification service behind the IDP (the profile). */
export const zVerifierConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address, the base of request_uri and response_uri'),
  databaseUrl: zDatabaseUrl.describe('Database of the sessions'),
  metricNamespace: zMetricNamespace.default('verifier'),
  environment: z.enum(['pre', 'pro']).describe('The environment whose DIDs and TIR are accepted'),
  apiKeys: z.array(z.string().min(16)).min(1).describe('Values of x-api-key that IDPs may send'),
  idpUrl: zBaseUrl.describe('Address of the IDP that receives the verdicts'),
  idpApiKey: z.string().min(1).describe('The x-api-key for the IDP'),
  didRegistryBaseUrl: zBaseUrl.describe('Address of the DID registry'),
  tirBaseUrl: zBaseUrl.describe('Base address of the TIR, as in termsOfUse.id'),
  rootDids: z.array(z.string()).min(1).describe('DIDs of the roots of trust (RTAO)'),
  credentialIssuerUrls: z
    .array(zBaseUrl)
    .default([])
    .describe('Base addresses of credential issuers; status lists are only fetched below these'),
  internalUrls: z
    .record(zBaseUrl, zBaseUrl)
    .default({})
    .describe('Base addresses to use in place of public ones, for example between containers'),
  checkCredentialStatus: z.boolean().default(true).describe('Reject revoked credentials'),
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
    .describe('The known credential types, for the inheritance chain of the accepted type'),
  holderSuites: zHolderSuites.describe('Accepted and declared suites of presentations'),
  requestedClaims: z
    .array(z.string())
    .default(['$.vc.credentialSubject.mandate'])
    .describe('JSONPath expressions of the claims that a credential must contain'),
  sessionLifetimeSeconds: z
    .int()
    .positive()
    .default(qrExpirationSeconds)
    .describe('Default lifetime of a session, if the IDP does not request another'),
  sessionRetentionSeconds: z
    .int()
    .positive()
    .default(7 * 86_400)
    .describe('How long sessions and their explanations are stored'),
  lookupTimeoutMilliseconds: z
    .int()
    .positive()
    .default(5000)
    .describe('Time limit of each request to a registry or a status list'),
  reportRetryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('Pause before an undelivered verdict is sent to the IDP again'),
})

export type VerifierConfig = z.infer<typeof zVerifierConfig>
