/** What our tokens say about somebody, by claim name. Absent claims are unknown. */
export type AccountClaims = Readonly<Record<string, unknown>>

/** Somebody who can sign in. `id` is the tokens' `sub`: stable, and no address. */
export interface Account {
  readonly id: string
  readonly claims: AccountClaims
}
