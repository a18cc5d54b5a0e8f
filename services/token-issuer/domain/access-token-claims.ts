import type { AccountClaims } from './account.ts'

/** What the Issuer reads from a Bearer token (document 1, Token claims required by the Issuer). */
export const bearerClaims = [
  'organization_identifier',
  'organization',
  'user_identifier',
  'email',
  'power',
] as const

/** The part of an account's claims that goes into its access tokens. */
export function accessTokenClaims(claims: AccountClaims): Record<string, unknown> {
  return Object.fromEntries(
    bearerClaims.flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]])),
  )
}
