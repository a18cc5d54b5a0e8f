import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { zBaseUrl, zHolderSuites } from '#kit/z-fields.ts'

const secondsADay = 86_400

/** Configuration of the connector: the wallet-facing half of a credential issuer. */
export const zConnectorConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  credentialIssuerUrl: zBaseUrl
    .optional()
    .describe(
      'credential_issuer of offers and metadata, below which wallets find all endpoints; default: baseUrl. An issuer at this address forwards to baseUrl (WALLET_ENDPOINTS_URL)',
    ),
  databaseUrl: z.string().default('sqlite::memory:').describe('Where issuances are kept'),
  apiKeys: z.array(z.string().min(16)).min(1).describe('Values of x-api-key that issuers may send'),
  apiPathPrefix: z
    .string()
    .regex(/^(\/[A-Za-z0-9._-]+)*$/)
    .default('')
    .describe('Path before the API for issuers, for example /app/v1/profile/group'),
  issuerUrl: z
    .url()
    .describe('Address of the issuer that is asked for claims and told of deliveries'),
  issuerApiKey: z.string().min(1).describe('The x-api-key to send to the issuer'),
  app: z.string().default('lear-testbed').describe('Name of the application, told to the issuer'),
  profile: z.string().default('default').describe('Name of this connector profile, likewise'),
  instance: z.string().default('default').describe('Name of this instance, likewise'),
  issuerDid: z.string().describe('DID of the organization that issues'),
  issuerPrivateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .describe('Its secp256k1 key, registered under assertionMethod'),
  issuerVMethodId: z.string().describe('vMethodId of that key in the DID document'),
  accreditationUrl: z
    .url()
    .describe('Address of its accreditation in the TIR, the termsOfUse of each credential'),
  credentialTypes: zCredentialTypes
    .prefault([...defaultCredentialTypes])
    .describe('The credential types that it issues, whatever their profile'),
  holderSuites: zHolderSuites.describe(
    'Suites of proofs of possession that it accepts and declares',
  ),
  deferredSeconds: z
    .int()
    .min(0)
    .optional()
    .describe('Credentials are ready this long after they were asked for; an offer may differ'),
  offerDelivery: z
    .enum(['value', 'reference'])
    .default('value')
    .describe('Whether a link carries the offer or its address'),
  offerLifetimeSeconds: z
    .int()
    .positive()
    .default(qrExpirationSeconds)
    .describe('Lifetime of an offer where the issuer does not ask for another'),
  accessTokenLifetimeSeconds: z
    .int()
    .positive()
    .default(secondsADay)
    .describe('expires_in of access tokens'),
  cNonceLifetimeSeconds: z.int().positive().default(secondsADay).describe('c_nonce_expires_in'),
  maxPinAttempts: z.int().positive().default(5).describe('Wrong PINs that end an offer'),
  retentionSeconds: z
    .int()
    .positive()
    .default(30 * secondsADay)
    .describe('How long issuances and notifications are kept after the last thing that happened'),
  retryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('How often notifications that did not get through are looked at again'),
})

export type ConnectorConfig = z.infer<typeof zConnectorConfig>

/** The `credential_issuer` of offers and metadata, which proofs of possession name as their `aud`. */
export function credentialIssuerOf({ credentialIssuerUrl, baseUrl }: ConnectorConfig): string {
  return credentialIssuerUrl ?? baseUrl
}
