import { z } from 'zod'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { statusEntryTypes } from '#core/status-list/status-list-credential.ts'
import { keySetCacheSeconds, zQrExpirationTime, zQrLifetime } from '#kit/defaults.ts'
import { zBaseUrl, zDatabaseUrl, zMetricNamespace } from '#kit/z-fields.ts'
import { mailLanguages } from './domain/offer-mail.ts'

/** A Connector as configured for this issuer. */
const zConnectorProfile = z.strictObject({
  name: z.string().min(1).describe('Name that credential types refer to'),
  url: z
    .url({ protocol: /^https?$/ })
    .describe("Address of the Connector's API for issuers, with its path prefix"),
  apiKey: z.string().min(1).describe('The x-api-key for that API'),
})

/** The Connectors of an issuer, with unique names. */
export const zConnectorProfiles = z
  .array(zConnectorProfile)
  .superRefine((profiles, { addIssue }) => {
    profiles.forEach(({ name }, index) => {
      if (profiles.findIndex((other) => other.name === name) < index) {
        addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'this profile name is already used',
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
 * Configuration of the Credential Issuer; the profile defines METRIC_NAMESPACE, MANAGEMENT_API_URL,
 * JWKS_URI and QR_EXPIRATION_TIME.
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
  databaseUrl: zDatabaseUrl.describe('Database of the records'),
  jwksUri: z.url().describe('Key set of the token issuer, which verifies Bearer tokens'),
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
    .default(0)
    .describe('Clock skew to allow for the token issuer, in seconds'),
  jwksCacheSeconds: z
    .int()
    .min(1)
    .default(keySetCacheSeconds)
    .describe('How long a key set is cached; an unknown key triggers a refetch'),
  apiKeys: z
    .array(z.string().min(16))
    .min(1)
    .describe('Values of x-api-key that Connectors may send'),
  managementApiUrl: zBaseUrl.describe('Address of the management API, which authorizes powers'),
  qrExpirationTime: zQrExpirationTime,
  employeeQrExpirationTime: zQrLifetime
    .optional()
    .describe('Lifetime of a QR code in an email; default: qrExpirationTime'),
  metricNamespace: zMetricNamespace.default('issuer'),
  credentialTypes: zCredentialTypes
    .prefault([...defaultCredentialTypes])
    .describe('The supported credential types'),
  representativeVcType: z
    .string()
    .default(defaultCredentialType)
    .describe('Credential type for representatives'),
  employeeVcType: z
    .string()
    .default(defaultCredentialType)
    .describe('Credential type for employees'),
  connectorProfiles: zConnectorProfiles.default([]).describe('The Connectors'),
  issuerDid: z.string().describe('DID of the issuing organization, which signs the status lists'),
  issuerPrivateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .describe('Its secp256k1 key, registered under assertionMethod'),
  issuerVMethodId: z.string().describe('vMethodId of that key in the DID document'),
  statusEntryType: z
    .enum([...statusEntryTypes, 'none'])
    .default('BitstringStatusListEntry')
    .describe('Type of credentialStatus; none omits it'),
  statusListTtlSeconds: z
    .int()
    .min(1)
    .max(240)
    .default(1)
    .describe('How long a verifier may cache a status list: its ttl and max-age'),
  smtpUrl: z
    .string()
    .regex(/^smtps?:\/\//)
    .describe('The mail server, for example smtp://127.0.0.1:1025'),
  mailFrom: z
    .string()
    .default('Credential Issuer <no-reply@issuer.invalid>')
    .describe('Sender of the emails'),
  mailRetryMilliseconds: z
    .int()
    .positive()
    .default(1000)
    .describe('Interval of the attempts to send queued emails'),
  mailLanguage: z
    .enum(mailLanguages)
    .default('en')
    .describe('Language of emails if neither the request nor the organization has one'),
  organizationLanguages: z
    .record(z.string(), z.enum(mailLanguages))
    .default({})
    .describe('Email language of each organization, by its identifier'),
  crossOrganizationPower: zManagingPower
    .optional()
    .describe('Power that gives access to the credentials of every organization'),
  requirePowerToManage: z
    .boolean()
    .default(false)
    .describe('List and revoke require a power with the action read or delete'),
  requireOwnPowers: z
    .boolean()
    .default(false)
    .describe("Requested powers must also be among the caller's own"),
})

export type IssuerConfig = z.infer<typeof zIssuerConfig>
export type ConnectorProfile = z.infer<typeof zConnectorProfile>
