import { randomBytes } from 'node:crypto'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { fetchBy } from '#scenarios/harness/http-client.ts'
import { broken, type CheckBase, endCheck, type Finding, inconclusive } from '../../kit/check.ts'
import { asPremise, classifyStatus, outageOf, requireJson } from '../../kit/classify-answer.ts'
import type { PostAnswer } from '../verifier/context.ts'
import { readRequest } from '../verifier/open-request.ts'
import { postPresentation } from '../verifier/post-presentation.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { createRelyingParty, type RelyingParty } from './create-relying-party.ts'
import { findPresentationLink } from './find-login-page.ts'
import { awaitReturn, findSessionCode, requestStatus } from './sessions.ts'

/** Members of the context that the plan provides. */
type Provided = Pick<IdpContext, 'target' | 'trust' | 'startTrap' | 'advanceClock' | 'resetClock'>

/** The operations that the checks of an IDP share, as a relying party, a browser and a wallet. */
export function createIdpContext(base: CheckBase, provided: Provided): IdpContext {
  const relyingParty = createRelyingParty(base, provided.target)
  const logins = createLogins({ ...base, ...provided, ...relyingParty })
  return {
    ...base,
    ...provided,
    ...relyingParty,
    ...logins,
    beginLogin: (options) => asPremise('starting a login (see O02)', logins.beginLogin(options)),
    async logInForTokens(options = {}) {
      const login = await logins.logIn(options)
      const { party = provided.target.client, form } = options
      const redeemed = { ...relyingParty.codeForm(login, party), ...form }
      const answer = await relyingParty.requestTokens(redeemed, party)
      return { ...login, tokens: requireJson(answer, 'The token request') }
    },
  }
}

type Logins = Pick<IdpContext, 'createBrowser' | 'beginLogin' | 'present' | 'awaitReturn' | 'logIn'>

/** Logins in a browser, with a wallet that presents a credential. */
function createLogins(context: CheckBase & Provided & RelyingParty): Logins {
  const { authorizationUrl, httpAs, target, trust } = context
  const { client, secondClient, patience } = target
  const redirectUris = [client, ...(secondClient ? [secondClient] : [])].map(
    ({ redirectUri }) => redirectUri,
  )

  const createBrowser = () =>
    createHttpBrowser(redirectUris, {}, fetchBy(httpAs('browser').request))

  const beginLogin: Logins['beginLogin'] = async ({
    parameters = {},
    party,
    browser = createBrowser(),
  } = {}) => {
    const [state, nonce] = [createSecret(), createSecret()]
    const url = await authorizationUrl({
      parameters: { state, nonce, ...parameters },
      ...(party && { party }),
    })
    const page = await browser.get(url.href)
    return {
      browser,
      url: url.href,
      page,
      link: await findPresentationLink(httpAs('browser'), page),
      state: parameters.state ?? state,
      nonce: parameters.nonce ?? nonce,
    }
  }

  const present: Logins['present'] = async ({ link }, options = {}) => {
    const opened = await readRequest({ link, session: undefined }, context)
    return postPresentation(opened, options, trust, context)
  }

  const statusOf = async ({ page }: BegunLogin) => {
    const session = findSessionCode(page)
    if (session === undefined) return undefined
    const { json } = await requestStatus(context, session)
    return (json as { status?: unknown } | undefined)?.status
  }
  const hasFailed = async (login: BegunLogin) => (await statusOf(login)) === 'FAILED'

  const comeBack: Logins['awaitReturn'] = (login, redirectUri) =>
    awaitReturn({ ...context, hasFailed }, login, redirectUri)

  /** Why a browser did not come back after a valid presentation. */
  const findNoReturn = async (login: BegunLogin): Promise<Finding> => {
    if (await hasFailed(login)) {
      const observed = 'A valid presentation ended the session as FAILED'
      return broken(`${observed}: does its verifier trust the registries of the kit?`)
    }
    const observed = `The browser did not return to the relying party within ${patience} s`
    if ((await statusOf(login)) !== 'PENDING') return inconclusive(observed)
    const reason = `${observed}, and the session is still PENDING after a valid presentation`
    return broken(reason, { level: 'practice' })
  }

  return {
    createBrowser,
    beginLogin,
    present,
    awaitReturn: comeBack,
    async logIn(options = {}) {
      if (!target.walletLogin) endCheck(inconclusive('The target has no login with a wallet.'))
      const login = await beginLogin(options)
      const answer = await present(login, options.presentation)
      requireAccepted(answer)
      const callback = await comeBack(login, answer.redirectUri)
      if (callback === undefined) endCheck(await findNoReturn(login))
      return { ...login, callback, code: requireCode(callback) }
    },
  }
}

const createSecret = () => randomBytes(24).toString('base64url')

function requireAccepted({ status, reason }: PostAnswer): void {
  const kind = status === 0 ? 'timed-out' : classifyStatus(status)
  if (kind === 'accepted') return
  const problem = `A valid presentation was not accepted. ${reason}`
  endCheck(kind === 'refused' ? broken(problem) : inconclusive(problem, outageOf(status)))
}

function requireCode({ searchParams }: URL): string {
  const code = searchParams.get('code')
  if (code !== null) return code
  const actual = Object.fromEntries(searchParams)
  endCheck(broken('The browser returned without a code', { actual }))
}
