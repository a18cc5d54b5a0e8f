import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { zBaseUrl, zDatabaseUrl, zHolderSuites } from '#kit/z-fields.ts'

const secondsADay = 86_400

/** Configuration of the connector: the wallet-facing half of a credential issuer. */
export const zConnectorConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  credentialIssuerUrl: zBaseUrl
    .optional()
    .describe(
      'credential_issuer of offers and metadata, the base address of all wallet endpoints; default: baseUrl. An issuer at this address forwards to baseUrl (WALLET_ENDPOINTS_URL)',
    ),
  databaseUrl: zDatabaseUrl.describe('Database of the issuances'),
  apiKeys: z.array(z.string().min(16)).min(1).describe('Values of x-api-key that issuers may send'),
  apiPathPrefix: z
    .string()
    .regex(/^(\/[A-Za-z0-9._-]+)*$/)
    .default('')
    .describe('Path before the API for issuers, for example /app/v1/profile/group'),
  issuerUrl: z
    .url()
    .describe('Address of the issuer, which provides claims and receives notifications'),
  issuerApiKey: z.string().min(1).describe('The x-api-key for the issuer'),
  app: z
    .string()
    .default('lear-testbed')
    .describe('Name of the application in notifications to the issuer'),
  profile: z
    .string()
    .default('default')
    .describe('Name of this connector profile in notifications to the issuer'),
  instance: z
    .string()
    .default('default')
    .describe('Name of this instance in notifications to the issuer'),
  issuerDid: z.string().describe('DID of the issuing organization'),
  issuerPrivateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .describe('Its secp256k1 key, registered under assertionMethod'),
  issuerVMethodId: z.string().describe('vMethodId of that key in the DID document'),
  accreditationUrl: z
    .url()
    .describe('Address of its accreditation in the TIR, for the termsOfUse of each credential'),
  credentialTypes: zCredentialTypes
    .prefault([...defaultCredentialTypes])
    .describe('The supported credential types of all profiles'),
  holderSuites: zHolderSuites.describe('Accepted and declared suites of proofs of possession'),
  deferredSeconds: z
    .int()
    .min(0)
    .optional()
    .describe('Time between the request and the availability of a credential; an offer may differ'),
  offerDelivery: z
    .enum(['value', 'reference'])
    .default('value')
    .describe('Whether a link contains the offer or its address'),
  offerLifetimeSeconds: z
    .int()
    .positive()
    .default(qrExpirationSeconds)
    .describe('Default lifetime of an offer, if the issuer does not request another'),
  accessTokenLifetimeSeconds: z
    .int()
    .positive()
    .default(secondsADay)
    .describe('expires_in of access tokens'),
  cNonceLifetimeSeconds: z.int().positive().default(secondsADay).describe('c_nonce_expires_in'),
  maxPinAttempts: z
    .int()
    .positive()
    .default(5)
    .describe('Number of wrong PINs after which an offer becomes invalid'),
  retentionSeconds: z
    .int()
    .positive()
    .default(30 * secondsADay)
    .describe('How long issuances and notifications are stored after their last change'),
  retryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('Interval of the attempts to send queued notifications'),
})

export type ConnectorConfig = z.infer<typeof zConnectorConfig>

/** The `credential_issuer` of offers and metadata, which is the `aud` of proofs of possession. */
export function credentialIssuerOf({ credentialIssuerUrl, baseUrl }: ConnectorConfig): string {
  return credentialIssuerUrl ?? baseUrl
}
