import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { statusEntryTypes } from '#core/status-list/status-list-credential.ts'
import {
  clockToleranceSeconds,
  keySetCacheSeconds,
  zQrExpirationTime,
  zQrLifetime,
} from '#kit/defaults.ts'
import { zBaseUrl, zMetricNamespace } from '#kit/z-fields.ts'
import { mailLanguages } from './domain/offer-mail.ts'

/** A Connector, as this issuer reaches it. */
export const zConnectorProfile = z.strictObject({
  name: z.string().min(1).describe('Name that credential types refer to'),
  url: z
    .url({ protocol: /^https?$/ })
    .describe("Address of the Connector's API for issuers, with its path prefix"),
  apiKey: z.string().min(1).describe('The x-api-key to send to it'),
})

/** The Connectors of an issuer, each under a name of its own. */
export const zConnectorProfiles = z
  .array(zConnectorProfile)
  .superRefine((profiles, { addIssue }) => {
    profiles.forEach(({ name }, index) => {
      if (profiles.findIndex((other) => other.name === name) < index) {
        addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'this profile is there already',
        })
      }
    })
  })

const zManagingPower = z.object({
  type: z.string(),
  domain: z.string(),
  function: z.string(),
  action: z.string(),
})

/**
 * Configuration of the Credential Issuer; METRIC_NAMESPACE, MANAGEMENT_API_URL, JWKS_URI and
 * QR_EXPIRATION_TIME are the document's.
 *
 * @row 1.limits.1
 */
export const zIssuerConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address of this service'),
  walletEndpointsUrl: zBaseUrl
    .optional()
    .describe(
      'Connector to which the wallet-facing paths below baseUrl are forwarded (its CREDENTIAL_ISSUER_URL is then this baseUrl); not forwarded if unset',
    ),
  databaseUrl: z.string().default('sqlite::memory:').describe('Where records are kept'),
  jwksUri: z
    .url()
    .describe('Key set of the token issuer, against which Bearer tokens are verified'),
  bearerIssuer: z
    .string()
    .optional()
    .describe('Expected iss of Bearer tokens; not checked if unset'),
  bearerAudience: z
    .string()
    .optional()
    .describe('Expected aud of Bearer tokens; not checked if unset'),
  clockToleranceSeconds: z
    .int()
    .min(0)
    .default(clockToleranceSeconds)
    .describe('By how much clocks may differ'),
  jwksCacheSeconds: z
    .int()
    .min(1)
    .default(keySetCacheSeconds)
    .describe('How long a key set is used before it is read again; unknown keys are looked up'),
  apiKeys: z
    .array(z.string().min(16))
    .min(1)
    .describe('Values of x-api-key that Connectors may send'),
  managementApiUrl: zBaseUrl.describe('Address of the management API, which authorises powers'),
  qrExpirationTime: zQrExpirationTime,
  employeeQrExpirationTime: zQrLifetime
    .optional()
    .describe('Lifetime of a QR code that is sent by mail; default: qrExpirationTime'),
  metricNamespace: zMetricNamespace.default('issuer'),
  credentialTypes: zCredentialTypes
    .prefault([...defaultCredentialTypes])
    .describe('The credential types that may be issued'),
  representativeVcType: z
    .string()
    .default(defaultCredentialType)
    .describe('Type of the credentials of representatives'),
  employeeVcType: z
    .string()
    .default(defaultCredentialType)
    .describe('Type of the credentials of employees'),
  connectorProfiles: zConnectorProfiles.default([]).describe('The Connectors'),
  issuerDid: z.string().describe('DID of the organization that issues; it signs the status lists'),
  issuerPrivateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .describe('Its secp256k1 key, registered under assertionMethod'),
  issuerVMethodId: z.string().describe('vMethodId of that key in the DID document'),
  statusEntryType: z
    .enum([...statusEntryTypes, 'none'])
    .default('BitstringStatusListEntry')
    .describe('Form of credentialStatus; none leaves it out'),
  statusListTtlSeconds: z
    .int()
    .min(1)
    .max(240)
    .default(1)
    .describe('How long a verifier may keep a status list: its ttl and max-age'),
  smtpUrl: z
    .string()
    .regex(/^smtps?:\/\//)
    .describe('The mail server, for example smtp://127.0.0.1:1025'),
  mailFrom: z
    .string()
    .default('Credential Issuer <no-reply@issuer.invalid>')
    .describe('Sender of the mails'),
  mailRetryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('How often mails that did not get out are looked at again'),
  mailLanguage: z
    .enum(mailLanguages)
    .default('en')
    .describe('Language of mails where neither the request nor the organization has one'),
  organizationLanguages: z
    .record(z.string(), z.enum(mailLanguages))
    .default({})
    .describe('Language of the mails of an organization, by its identifier'),
  crossOrganizationPower: zManagingPower
    .optional()
    .describe('Whoever holds this power reaches the credentials of every organization'),
  requirePowerToManage: z
    .boolean()
    .default(false)
    .describe('List and revoke ask for a power with the action read or delete'),
  requireOwnPowers: z
    .boolean()
    .default(false)
    .describe("Requested powers have to be among the caller's own too"),
})

export type IssuerConfig = z.infer<typeof zIssuerConfig>
export type ConnectorProfile = z.infer<typeof zConnectorProfile>
