import { z } from 'zod'
import { isReservedClaim } from '#kit/openid-provider/claims.ts'
import { isPasswordHash } from '#kit/secrets.ts'
import { zBaseUrl, zDatabaseUrl, zMetricNamespace } from '#kit/z-fields.ts'

const zPower = z.object({
  type: z.string(),
  domain: z.string(),
  function: z.string(),
  action: z.array(z.string()).min(1),
})

const zAccount = z
  .object({
    username: z.string().min(1).max(256),
    passwordHash: z
      .string()
      .refine(isPasswordHash, 'must be scrypt$N$r$p$salt$key, as createPasswordHash returns it')
      .optional(),
    password: z
      .string()
      .min(8)
      .max(1024)
      .optional()
      .describe('Instead of passwordHash, if the configuration itself is secret'),
    organizationIdentifier: z.string().min(1),
    organization: z.string().min(1),
    userIdentifier: z.string().min(1),
    email: z.email(),
    givenName: z.string().optional(),
    familyName: z.string().optional(),
    power: z.array(zPower).optional(),
  })
  .refine(
    ({ password, passwordHash }) => (password === undefined) !== (passwordHash === undefined),
    'needs either passwordHash or password',
  )

const zClient = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(16),
  redirectUris: z.array(z.url()).min(1),
  postLogoutRedirectUris: z
    .array(z.url())
    .default([])
    .describe('Addresses that a browser may be redirected to after a logout'),
  name: z.string().optional(),
})

/** Default claims of the identity provider in the final tokens. */
const defaultMappers = Object.fromEntries(
  [
    'email',
    'given_name',
    'family_name',
    'name',
    'preferred_username',
    'organization',
    'organization_identifier',
    'user_identifier',
    'power',
  ].map((claim) => [claim, claim]),
)

const zBroker = z.object({
  alias: z.string().regex(/^[a-z0-9-]{1,64}$/),
  displayName: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the provider on the login page; default: “your wallet”, in each language'),
  issuerUrl: z.url().describe('Issuer of the external identity provider, at its public address'),
  backchannelUrl: z
    .url()
    .optional()
    .describe('Address of the same provider for this service, if it differs (containers)'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scope: z.string().default('openid profile email openid-vp-lear'),
  mappers: z
    .record(
      z.string().refine((claim) => !isReservedClaim(claim), 'is a reserved claim'),
      z.string(),
    )
    .default(defaultMappers)
    .describe('Mappers from claims of the identity provider to claims of the tokens: claim = path'),
})

/** Settings of the token issuer; the environment variables are their names in capitals. */
export const zTokenIssuerConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address; `iss` of all tokens'),
  databaseUrl: zDatabaseUrl.describe('sqlite:PATH or postgres://…'),
  metricNamespace: zMetricNamespace.default('token_issuer'),
  audience: z
    .url()
    .default('urn:lear-testbed:issuer')
    .describe(
      '`aud` of access tokens, an absolute URI; must equal the audience that the issuer expects, if it expects one',
    ),
  accessTokenLifetime: z
    .number()
    .int()
    .min(1)
    .default(3600)
    .describe('Lifetime of access tokens in seconds'),
  cookieKeys: z.array(z.string().min(32)).min(1).describe('Secrets that sign cookies'),
  apiKeys: z
    .array(z.string().min(16))
    .describe('Values of x-api-key that the internal endpoint accepts'),
  clients: z.array(zClient).describe('Portals that may request tokens'),
  accounts: z.array(zAccount).describe('Local accounts, for users without a credential'),
  explanationsUrl: z
    .url()
    .optional()
    .describe('Page that explains the last rejected login; the login page links to it'),
  brokers: z.array(zBroker).default([]).describe('External identity providers'),
})

export type TokenIssuerConfig = Readonly<z.infer<typeof zTokenIssuerConfig>>
export type AccountConfig = TokenIssuerConfig['accounts'][number]
export type BrokerConfig = TokenIssuerConfig['brokers'][number]
