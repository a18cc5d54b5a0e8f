import type { HttpBrowser, HttpPage } from '#scenarios/harness/http-browser.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { Trap } from '../../world/create-traps.ts'
import type { CallbackParameters, ProvidedLogin, Provider, Script, User } from './provider.ts'
import type { RelyingPartyTarget } from './z-target.ts'

/** The browser of a user, and the cookies that were set in it. */
export interface UserBrowser extends HttpBrowser {
  /** Headers Set-Cookie. */
  readonly setCookies: readonly string[]
}

/** A login that the application has started: the browser is at the provider. */
export interface BegunLogin {
  readonly browser: UserBrowser
  /** The parameters of the authorization request. */
  readonly request: URLSearchParams
}

/** A login whose browser is back at the application. */
export interface EndedLogin extends ProvidedLogin {
  readonly browser: UserBrowser
  /** The page at which the browser ended. */
  readonly page: HttpPage
  /** The page of the target that shows who is logged in, if it has one. */
  readonly userPage: HttpPage | undefined
}

export interface RelyingPartyContext extends CheckBase {
  readonly target: RelyingPartyTarget
  readonly provider: Provider
  startTrap(): Promise<Trap>
  /** Why the program of the target does not respond; undefined if it has none, or it runs. */
  describeProgram(): Promise<string | undefined>
  /** @param stopAt addresses at which its redirects end, in addition to the provider */
  createBrowser(stopAt?: readonly string[]): UserBrowser
  /** Opens the login page; ends the check if it does not lead to the provider. */
  openLogin(browser?: UserBrowser, url?: string): Promise<BegunLogin>
  /** As `openLogin`, for checks that test something else. */
  begin(browser?: UserBrowser): Promise<BegunLogin>
  /** Logs a user in at the provider, and returns the browser to the application. */
  finish(begun: BegunLogin, script?: Script): Promise<EndedLogin>
  /** Sends a browser to the application with these parameters. */
  deliver(
    begun: BegunLogin,
    login: ProvidedLogin,
    parameters?: CallbackParameters,
  ): Promise<EndedLogin>
  /** A complete login in a new browser. */
  logIn(script?: Script): Promise<EndedLogin>
  /** Whether a page shows a user, who is by default the user of the login. */
  shows(ended: EndedLogin, user?: User): boolean
}
