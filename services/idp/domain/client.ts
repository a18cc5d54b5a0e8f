/** How a client may send its secret to the token endpoint (document 1: per client configuration). */
export const authentications = ['either', 'client_secret_basic', 'client_secret_post'] as const

export type Authentication = (typeof authentications)[number]

/** A relying party, without its secret. */
export interface Client {
  readonly clientId: string
  readonly name: string
  readonly authentication: Authentication
  readonly redirectUris: readonly string[]
}
