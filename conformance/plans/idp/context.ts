import type { HttpBrowser, HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { PostAnswer, PresentationOptions, VerifierContext } from '../verifier/context.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** Changed parameters of an authorization request; undefined removes one. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>

/** A login up to the page that a wallet answers. */
export interface BegunLogin {
  readonly browser: HttpBrowser
  /** The authorization request. */
  readonly url: string
  readonly page: HttpPage
  /** The link for wallets, from the page or its QR code. */
  readonly link: string
  /** The parameters of the request. */
  readonly state: string
  readonly nonce: string
}

/** A login whose browser came back to the relying party with a code. */
interface FinishedLogin extends BegunLogin {
  readonly callback: URL
  readonly code: string
}

export interface LoginOptions {
  readonly parameters?: AuthorizationParameters
  readonly party?: IdpParty
  /** By default a new one. */
  readonly browser?: HttpBrowser
  /** What the wallet presents; by default a valid credential. */
  readonly presentation?: PresentationOptions
  /** Parameters of the token request in addition to the usual ones. */
  readonly form?: Readonly<Record<string, string>>
}

export interface IdpContext extends CheckBase, Pick<VerifierContext, 'startTrap'> {
  readonly target: IdpTarget
  /** The IDP's address without the trailing slash that an issuer may have. */
  readonly baseUrl: string
  readonly trust: OpenTrustWorld
  /** The discovery document. */
  discover(): Promise<Record<string, unknown>>
  /** The address in a member of the discovery document; without it the check is inconclusive. */
  endpoint(name: string): Promise<string>
  authorizationUrl(options?: LoginOptions): Promise<URL>
  /** A browser without a screen, which stops before the clients' redirect URIs. */
  createBrowser(): HttpBrowser
  /** Starts a login; if there is none, the check is inconclusive. */
  beginLogin(options?: LoginOptions): Promise<BegunLogin>
  /** Answers the page with a wallet, by default with a valid credential. */
  present(login: BegunLogin, options?: PresentationOptions): Promise<PostAnswer>
  /**
   * Continues in the browser until it is back at the relying party; undefined if it was not in
   * time.
   */
  awaitReturn(login: BegunLogin, redirectUri?: string): Promise<URL | undefined>
  /** A complete login with a valid credential. */
  logIn(options?: LoginOptions): Promise<FinishedLogin>
  /**
   * Calls the token endpoint, or another one with the same client authentication.
   * @param party whose credentials to send; undefined sends none
   * @param options `at`: the member of the discovery document with the address
   */
  requestTokens(
    form: Readonly<Record<string, string>>,
    party?: IdpParty,
    options?: { readonly at?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<HttpAnswer>
  /** The form that redeems a code. */
  codeForm(login: FinishedLogin, party?: IdpParty): Readonly<Record<string, string>>
  /** Moves the clock of the IDP ahead; only with the need `clock`. */
  advanceClock(seconds: number): Promise<void>
  /** Restores the real time of the IDP, if the target can do that. */
  resetClock(): Promise<void>
  /** A complete login with its tokens. */
  logInForTokens(options?: LoginOptions): Promise<FinishedLogin & { tokens: TokenAnswer }>
}

/** The answer of the token endpoint with any members. */
export type TokenAnswer = Readonly<Record<string, unknown>>
