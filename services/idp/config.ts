import { z } from 'zod'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import { zQrExpirationTime, zQrLifetime } from '#kit/defaults.ts'
import { isPasswordHash } from '#kit/secrets.ts'
import { zBaseUrl, zDatabaseUrl, zMetricNamespace } from '#kit/z-fields.ts'
import { authentications, findRedirectUriProblem } from './domain/client.ts'
import { parseMapper } from './domain/mappers.ts'

const zClient = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(16),
  redirectUris: z
    .array(
      z.string().superRefine((uri, context) => {
        const problem = findRedirectUriProblem(uri, true)
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
      }),
    )
    .min(1),
  name: z.string().optional().describe('Name of the application for users'),
  authentication: z
    .enum(authentications)
    .default('either')
    .describe('Whether the secret is sent as HTTP Basic, in the body, or either'),
})

export type ClientConfig = z.infer<typeof zClient>

/** Relying parties with unique ids. */
const zClients = z.array(zClient).superRefine((clients, { addIssue }) => {
  clients.forEach(({ clientId }, index) => {
    if (clients.findIndex((other) => other.clientId === clientId) < index) {
      const message = 'this client id is already used'
      addIssue({ code: 'custom', path: [index, 'clientId'], message })
    }
  })
})

const zAdmin = z
  .object({
    username: z.string().min(1).max(256),
    password: z.string().min(8).max(1024).optional(),
    passwordHash: z
      .string()
      .refine(isPasswordHash, 'must be scrypt$N$r$p$salt$key, as createPasswordHash returns it')
      .optional()
      .describe('Instead of password'),
  })
  .refine(
    ({ password, passwordHash }) => (password === undefined) !== (passwordHash === undefined),
    {
      message: 'needs either password or passwordHash',
    },
  )

export type AdminConfig = z.infer<typeof zAdmin>

const zMapper = z.string().refine((text) => parseMapper(text).ok, 'must be key = path.to.field')

const mandatee = 'credentialSubject.mandate.mandatee'
const mandator = 'credentialSubject.mandate.mandator'
const email = `email = ${mandatee}.email`
const profile = [
  `given_name = ${mandatee}.firstName`,
  `family_name = ${mandatee}.lastName`,
  `name = ${mandatee}.firstName + ${mandatee}.lastName`,
  `preferred_username = ${mandatee}.email`,
]

/** Claims of each scope, taken from the credential. */
const defaultMappers: Record<string, string[]> = {
  email: [email],
  profile,
  'openid-vp-lear': [
    email,
    ...profile,
    `organization = ${mandator}.organization`,
    `organization_identifier = ${mandator}.organizationIdentifier`,
    `user_identifier = ${mandatee}.employeeId`,
    'power = credentialSubject.mandate.power',
  ],
}

/** Settings of the Credential IDP; the environment variables are their names in capitals. */
export const zIdpConfig = z.object({
  baseUrl: zBaseUrl.describe('Public address; `iss` of all tokens'),
  databaseUrl: zDatabaseUrl.describe('sqlite:PATH or postgres://…'),
  metricNamespace: zMetricNamespace.default('idp'),
  oidCredential: z
    .string()
    .default(defaultCredentialType)
    .describe('The only credential type that users can log in with'),
  qrExpirationTime: zQrExpirationTime,
  verificationLifetime: zQrLifetime
    .optional()
    .describe('Lifetime of a verification session in seconds; default: qrExpirationTime'),
  verifierUrl: zBaseUrl.describe('Address of the verification service'),
  verifierApiKey: z.string().min(1).describe('The x-api-key for the verification service'),
  apiKeys: z
    .array(z.string().min(16))
    .min(1)
    .describe('Values of x-api-key that verification services may send'),
  cookieKeys: z.array(z.string().min(32)).min(1).describe('Secrets that sign cookies'),
  clients: zClients
    .default([])
    .describe('Relying parties; new or changed entries replace those of the admin panel'),
  scopeMappers: z
    .record(
      z.string().refine((scope) => !(scope in Object.prototype), 'is not a scope'),
      z.array(zMapper),
    )
    .default(defaultMappers)
    .describe(
      'Claims by scope, as lists of key = path.to.field in the credential; new or changed entries replace those of the admin panel',
    ),
  admin: zAdmin
    .optional()
    .describe('First account of the admin panel; without an account the panel is inaccessible'),
  adminSessionIdle: z
    .int()
    .positive()
    .default(1800)
    .describe('Seconds without a request after which a session of the admin panel expires'),
  adminSessionLifetime: z
    .int()
    .positive()
    .default(8 * 3600)
    .describe('Seconds after which a session of the admin panel expires in any case'),
  documentationUrl: zBaseUrl
    .optional()
    .describe('Address of the documentation, for links in the admin panel to its profile'),
  didNames: z
    .record(z.string(), z.string())
    .default({})
    .describe('Names of DIDs, which the admin panel shows next to them'),
  explanationsUrl: zBaseUrl
    .optional()
    .describe(
      'Address of pages that explain verification sessions: the page of a failed login links to it, with the code of its session appended',
    ),
  webWalletUrl: zBaseUrl
    .optional()
    .describe(
      'Address of a wallet in the browser: the login page links to it, with the request in the query parameter `link`',
    ),
  operatorKey: z
    .string()
    .min(32)
    .optional()
    .describe(
      'The x-api-key for explanations of sessions and one-time links to the admin panel; without it both are inaccessible',
    ),
  accessTokenLifetime: z
    .int()
    .positive()
    .default(3600)
    .describe('Lifetime of access tokens in seconds'),
  idTokenLifetime: z.int().positive().default(3600).describe('Lifetime of ID tokens in seconds'),
  refreshTokenLifetime: z
    .int()
    .positive()
    .default(14 * 86_400)
    .describe('Lifetime of refresh tokens in seconds'),
  loginLifetime: z
    .int()
    .positive()
    .default(3600)
    .describe('Maximum seconds for a login in a browser, including all its QR codes'),
  loginRetention: z
    .int()
    .positive()
    .default(7 * 86_400)
    .describe('Seconds for which logins and their outcomes are stored'),
  redirectWallet: z
    .boolean()
    .default(true)
    .describe('Whether wallets should redirect their holder back to this service'),
  pollMilliseconds: z
    .int()
    .min(100)
    .default(1000)
    .describe('How often the page polls the state of the login'),
})

export type IdpConfig = Readonly<z.infer<typeof zIdpConfig>>
