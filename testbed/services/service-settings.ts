import type { z } from 'zod'
import type { zApiKeysConfig } from '#services/api-keys/config.ts'
import type { zConnectorConfig } from '#services/connector/config.ts'
import type { zDidRegistryConfig } from '#services/did-registry/config.ts'
import type { zIdpConfig } from '#services/idp/config.ts'
import type { zIssuerConfig } from '#services/issuer/config.ts'
import type { zMailConfig } from '#services/mail/config.ts'
import type { zManagementConfig } from '#services/management/config.ts'
import type { zTirConfig } from '#services/tir/config.ts'
import type { zTokenIssuerConfig } from '#services/token-issuer/config.ts'
import type { zVerifierConfig } from '#services/verifier/config.ts'

interface ConfigSchemas {
  readonly 'did-registry': typeof zDidRegistryConfig
  readonly tir: typeof zTirConfig
  readonly 'api-keys': typeof zApiKeysConfig
  readonly management: typeof zManagementConfig
  readonly connector: typeof zConnectorConfig
  readonly issuer: typeof zIssuerConfig
  readonly verifier: typeof zVerifierConfig
  readonly idp: typeof zIdpConfig
  readonly 'token-issuer': typeof zTokenIssuerConfig
  readonly mail: typeof zMailConfig
}

export type ConfiguredService = keyof ConfigSchemas

/** Settings of services that differ from what a testbed sets. Plain data. */
export type ServiceSettings = {
  readonly [Service in ConfiguredService]?: Partial<z.output<ConfigSchemas[Service]>>
}

/** The configuration schema of each service, loaded on demand. */
export const configSchemas: {
  readonly [Service in ConfiguredService]: () => Promise<ConfigSchemas[Service]>
} = {
  'did-registry': async () => (await import('#services/did-registry/config.ts')).zDidRegistryConfig,
  tir: async () => (await import('#services/tir/config.ts')).zTirConfig,
  'api-keys': async () => (await import('#services/api-keys/config.ts')).zApiKeysConfig,
  management: async () => (await import('#services/management/config.ts')).zManagementConfig,
  connector: async () => (await import('#services/connector/config.ts')).zConnectorConfig,
  issuer: async () => (await import('#services/issuer/config.ts')).zIssuerConfig,
  verifier: async () => (await import('#services/verifier/config.ts')).zVerifierConfig,
  idp: async () => (await import('#services/idp/config.ts')).zIdpConfig,
  'token-issuer': async () => (await import('#services/token-issuer/config.ts')).zTokenIssuerConfig,
  mail: async () => (await import('#services/mail/config.ts')).zMailConfig,
}

/**
 * The profile's environment variables, and the settings that each one sets.
 *
 * @assumption A-63
 */
export const documentVariables = {
  METRIC_NAMESPACE: [
    ['issuer', 'metricNamespace'],
    ['idp', 'metricNamespace'],
  ],
  MANAGEMENT_API_URL: [['issuer', 'managementApiUrl']],
  JWKS_URI: [['issuer', 'jwksUri']],
  OID_CREDENTIAL: [['idp', 'oidCredential']],
  QR_EXPIRATION_TIME: [
    ['issuer', 'qrExpirationTime'],
    ['idp', 'qrExpirationTime'],
  ],
} as const satisfies Record<string, readonly (readonly [ConfiguredService, string])[]>

const address = 'it follows from --port-base, --bind and --public-url'
const state = 'it follows from --data, --in-memory and --database-url'
const environment = 'it follows from --env'
const chain = 'it follows from --chain-rpc'
const contract = "it is the address of the testbed's contract"
const part = "it is the address of the testbed's own part"
const secret = 'the testbed keeps this secret in its data folder'
const issuerKey = "it is the seeded issuer's, as in testbed.json"
const verifierKey = "it is the seeded verifier's, as in testbed.json"
const suites = 'connector and verifier need the same ones: use --holder-suites'
const types = 'issuer, connector and verifier need the same ones: use --credential-types FILE'

/** The ids of the clients that the testbed registers at its IDP, in addition to those of a file. */
export const seededClients = { relyingParty: 'relying-party', broker: 'token-issuer' } as const

/** Settings that the testbed sets itself, each with the reason. A file cannot change them. */
export const ownedSettings: Readonly<Record<ConfiguredService, Readonly<Record<string, string>>>> =
  {
    'did-registry': {
      environment,
      baseUrl: address,
      chainRpcUrl: chain,
      didRegistryAddress: contract,
    },
    tir: {
      environment,
      baseUrl: address,
      chainRpcUrl: chain,
      tirAddress: contract,
      apiKeysUrl: part,
      apiKeyScope: 'the seeded API key has the scope tir',
    },
    'api-keys': { baseUrl: address, databaseUrl: state, operatorKey: secret, initialKeys: secret },
    management: {
      baseUrl: address,
      databaseUrl: state,
      apiKeys: secret,
      organizations: 'edit them in the console, or with PUT /control/{env}/organizations',
    },
    connector: {
      baseUrl: address,
      databaseUrl: state,
      apiKeys: secret,
      apiPathPrefix: "the issuer's Connector profile is created for the default",
      issuerUrl: part,
      issuerApiKey: secret,
      profile: "it must be the name of the issuer's Connector profile",
      issuerDid: issuerKey,
      issuerPrivateKey: issuerKey,
      issuerVMethodId: issuerKey,
      accreditationUrl: "it is the address of the seeded issuer's accreditation",
      credentialTypes: types,
      holderSuites: suites,
    },
    issuer: {
      baseUrl: address,
      walletEndpointsUrl: part,
      databaseUrl: state,
      apiKeys: secret,
      credentialTypes: types,
      connectorProfiles: 'use --connector-profiles FILE',
      issuerDid: issuerKey,
      issuerPrivateKey: issuerKey,
      issuerVMethodId: issuerKey,
    },
    verifier: {
      environment,
      baseUrl: address,
      databaseUrl: state,
      apiKeys: secret,
      idpUrl: part,
      idpApiKey: secret,
      didRegistryBaseUrl: part,
      tirBaseUrl: part,
      rootDids: "it is the seeded root's, as in testbed.json",
      credentialIssuerUrls: part,
      internalUrls: part,
      verifierDid: verifierKey,
      verifierPrivateKey: verifierKey,
      verifierVMethodId: verifierKey,
      credentialTypes: types,
      holderSuites: suites,
    },
    idp: {
      baseUrl: address,
      databaseUrl: state,
      verifierUrl: part,
      verifierApiKey: secret,
      apiKeys: secret,
      cookieKeys: secret,
      admin: secret,
    },
    'token-issuer': {
      baseUrl: address,
      databaseUrl: state,
      audience: "it is the issuer's address",
      cookieKeys: secret,
      apiKeys: secret,
      clients: 'the seeded portal is in testbed.json',
      accounts: 'they follow from the seeded organizations',
      brokers: "it is the testbed's own IDP",
    },
    mail: { baseUrl: address, smtpHost: address, smtpPort: address, databaseUrl: state },
  }
