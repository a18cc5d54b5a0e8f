import type { EnvironmentContext } from './environment-context.ts'

/** What the services of an environment, and those who call them, prove themselves with. */
export const environmentSecretNames = [
  'api-key/operator',
  'api-key/tir',
  'api-key/issuer',
  'api-key/idp',
  'api-key/connector',
  'api-key/management',
  'api-key/verifier',
  'api-key/token-issuer',
  'cookie/idp',
  'cookie/token-issuer',
  'client/relying-party',
  'client/portal',
  'client/token-issuer',
  'password/admin',
] as const

export type EnvironmentSecret = (typeof environmentSecretNames)[number] | `account/${string}`

/** Every secret of an environment by its name, for a process that can't ask for them. */
export function readEnvironmentSecrets({
  organizations,
  secret,
}: Pick<EnvironmentContext, 'organizations' | 'secret'>): Record<string, string> {
  const accounts = organizations.map(({ representative: { email } }) => `account/${email}` as const)
  return Object.fromEntries(
    [...environmentSecretNames, ...accounts].map((name) => [name, secret(name)]),
  )
}
