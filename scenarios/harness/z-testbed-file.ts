import { z } from 'zod'

const zHex = z.string().regex(/^0x[0-9a-fA-F]+$/)
const zUrl = z.url().transform((url) => url.replace(/\/$/, ''))

const zTrustChainMember = z.object({
  did: z.string(),
  attributeId: z.string().regex(/^[0-9a-f]{64}$/i),
  privateKey: zHex,
  vMethodId: z.string(),
})

const zClient = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.url(),
})

const zAccount = z.object({ username: z.string(), password: z.string() })

const zPower = z.object({
  type: z.string(),
  domain: z.string(),
  function: z.string(),
  action: z.array(z.string()).min(1),
})

const zOrganization = z.object({
  organizationIdentifier: z.string(),
  organization: z.string(),
  representative: z.object({
    email: z.string(),
    userIdentifier: z.string(),
    givenName: z.string().optional(),
    familyName: z.string().optional(),
  }),
  authorizedPowers: z.array(zPower).min(1),
})

/** Abilities that only a testbed's own chain and database have. */
export const capabilities = ['clock', 'mining', 'snapshots', 'revert-reasons'] as const
export type Capability = (typeof capabilities)[number]

/** One environment of a running testbed, as `testbed.json` describes it. */
const zEnvironment = z.object({
  didPrefix: z.string(),
  /** What this environment cannot do, and why; absent without limits. */
  limits: z.partialRecord(z.enum(capabilities), z.string()).optional(),
  chain: z.object({
    rpcUrl: zUrl,
    chainId: zHex,
    didRegistryAddress: zHex,
    tirAddress: zHex,
  }),
  didRegistryBaseUrl: zUrl,
  tirBaseUrl: zUrl,
  issuerBaseUrl: zUrl,
  credentialIssuerUrl: zUrl,
  /** The connector's own address, behind the issuer's. */
  connectorBaseUrl: zUrl.optional(),
  idpBaseUrl: zUrl,
  verifierBaseUrl: zUrl,
  verifierDid: z.string(),
  tokenIssuerBaseUrl: zUrl,
  managementApiUrl: zUrl,
  /** The API key service; `apiKeys.operator` creates, lists and revokes keys there. */
  apiKeysBaseUrl: zUrl.optional(),
  apiKeys: z.object({
    tir: z.string(),
    issuer: z.string(),
    idp: z.string(),
    operator: z.string().optional(),
  }),
  onboardingNode: z.object({ address: zHex, privateKey: zHex }),
  operator: z.object({ address: zHex, privateKey: zHex }),
  trustChain: z.object({
    rootTao: zTrustChainMember,
    tao: zTrustChainMember,
    issuer: zTrustChainMember,
  }),
  oidcClient: zClient,
  tokenIssuerClient: zClient,
  tokenIssuerAccount: zAccount,
  admin: zAccount,
  organizations: z.array(zOrganization).min(2),
  /** The type of representatives and employees. */
  credentialType: z.object({ vcType: z.string(), inheritedTypes: z.array(z.string()) }).optional(),
})

/** `testbed.json`: all addresses, and the keys of a local testbed. */
export const zTestbedFile = z.object({
  schemaVersion: z.literal(1),
  pid: z.int(),
  startedAt: z.iso.datetime(),
  control: z.object({ url: zUrl, token: z.string() }),
  consoleUrl: zUrl,
  mail: z.object({ smtpUrl: z.string(), apiUrl: zUrl }),
  environments: z.record(z.string(), zEnvironment),
})

export type TestbedFile = z.infer<typeof zTestbedFile>
export type Environment = z.infer<typeof zEnvironment>
export type Organization = z.infer<typeof zOrganization>
export type Power = z.infer<typeof zPower>
