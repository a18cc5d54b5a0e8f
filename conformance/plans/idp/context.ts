import type { HttpBrowser, HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { PostAnswer, PresentationOptions } from '../verifier/context.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** Parameters of an authorization request that differ; undefined leaves one out. */
type AuthorizationParameters = Readonly<Record<string, string | undefined>>

/** A login as far as the page that a wallet answers. */
export interface BegunLogin {
  readonly browser: HttpBrowser
  /** The authorization request. */
  readonly url: string
  readonly page: HttpPage
  /** The link for wallets: of the page, or of its QR code. */
  readonly link: string
  /** What was sent along. */
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
}

/** What the checks of an IDP get. */
export interface IdpContext extends CheckBase {
  readonly target: IdpTarget
  /** The IDP's address without a trailing slash, which an issuer may have. */
  readonly baseUrl: string
  readonly trust: OpenTrustWorld
  /** The discovery document. */
  discover(): Promise<Record<string, unknown>>
  /** A member of the discovery document that is an address; without it nothing is decided. */
  endpoint(name: string): Promise<string>
  authorizationUrl(options?: LoginOptions): Promise<URL>
  /** A browser without a screen, which stops before the clients' redirect URIs. */
  createBrowser(): HttpBrowser
  /** Where no login begins, nothing is decided. */
  beginLogin(options?: LoginOptions): Promise<BegunLogin>
  /** A wallet answers the page, by default with a credential that is as it should be. */
  present(login: BegunLogin, options?: PresentationOptions): Promise<PostAnswer>
  /** Goes on in the browser until it is back at the relying party; undefined: it was not in time. */
  awaitReturn(login: BegunLogin, redirectUri?: string): Promise<URL | undefined>
  /** A whole login with a credential that is as it should be. */
  logIn(options?: LoginOptions): Promise<FinishedLogin>
  /** Asks the token endpoint; `party` is by default the client, undefined sends no credentials. */
  requestTokens(form: Readonly<Record<string, string>>, party?: IdpParty): Promise<HttpAnswer>
  /** The form that trades a code. */
  codeForm(login: FinishedLogin, party?: IdpParty): Readonly<Record<string, string>>
  /** A whole login and its tokens. */
  logInForTokens(options?: LoginOptions): Promise<FinishedLogin & { tokens: TokenAnswer }>
}

/** The answer of the token endpoint, whatever its members are. */
export type TokenAnswer = Readonly<Record<string, unknown>>
