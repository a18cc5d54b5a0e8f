import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLink } from '#core/link/find-link.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { accountOfKey } from '#wallet-emulator/keys/create-account.ts'
import { credentialIdOf } from '#wallet-emulator/store/credential-id-of.ts'
import { createWalletTrust } from '#wallet-emulator/trust/create-wallet-trust.ts'
import type { CheckBase } from '../../check-base.ts'
import { classifyStatus, requireJson } from '../../classify-answer.ts'
import { broken, endCheck, inconclusive } from '../../finding.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { BegunLogin, IdpContext, LoginOptions } from './context.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** Members of the discovery document by the names that checks use. */
type Discovery = Readonly<Record<string, unknown>>

const createSecret = () => randomBytes(24).toString('base64url')

/** What the checks of an IDP do again and again, as a relying party, a browser and a wallet. */
export function createIdpContext(
  base: CheckBase,
  target: IdpTarget,
  trust: OpenTrustWorld,
): IdpContext {
  const { httpAs, signal } = base
  const { client, scope, patience } = target
  const parties = [client, ...(target.secondClient ? [target.secondClient] : [])]
  let discovery: Promise<Discovery> | undefined

  const discover = () => {
    discovery ??= httpAs('relying-party')
      .request(`${target.issuer}/.well-known/openid-configuration`)
      .then((answer) => requireJson(answer, 'The discovery document'))
    return discovery as Promise<Record<string, unknown>>
  }

  const endpoint = async (name: string) => {
    const value = (await discover())[name]
    if (typeof value === 'string' && URL.canParse(value)) return value
    endCheck(broken(`The discovery document has no address ${name}`, { actual: value }))
  }

  const authorizationUrl = async ({ parameters = {}, party = client }: LoginOptions = {}) => {
    const url = new URL(await endpoint('authorization_endpoint'))
    const all: Readonly<Record<string, string | undefined>> = {
      client_id: party.clientId,
      redirect_uri: party.redirectUri,
      response_type: 'code',
      scope,
      ...parameters,
    }
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return url
  }

  const createBrowser = () =>
    createHttpBrowser(
      parties.map(({ redirectUri }) => redirectUri),
      {},
      httpAs('browser').fetch,
    )

  const beginLogin = async ({ parameters = {}, party }: LoginOptions = {}): Promise<BegunLogin> => {
    const [state, nonce] = [createSecret(), createSecret()]
    const url = await authorizationUrl({
      parameters: { state, nonce, ...parameters },
      ...(party && { party }),
    })
    const browser = createBrowser()
    const page = await browser.get(url.href)
    return {
      browser,
      page,
      link: findPresentationLink(page),
      state: parameters.state ?? state,
      nonce: parameters.nonce ?? nonce,
    }
  }

  const awaitReturn = async ({ browser, page }: BegunLogin) => {
    const ends = performance.now() + patience * 1000
    for (;;) {
      const { status, url } = await browser.get(page.url)
      if (status === 0) return new URL(url)
      if (performance.now() > ends) return undefined
      // The page of an IDP asks like this as well; there is no event that a stranger could wait for.
      await sleep(50, undefined, { signal })
    }
  }

  const presentTo: IdpContext['present'] = async ({ link }, credential = trust.world.issue()) => {
    const { holder } = trust.world
    const wallet = createWallet({
      account: accountOfKey({ didMethod: 'key', privateKey: holder.privateKey }),
      http: { fetch: httpAs('wallet').fetch, allowPrivateAddresses: true, signal },
      now: base.now,
    })
    await wallet.store.addCredential({
      id: credentialIdOf(credential),
      format: 'jwt_vc_json',
      credential,
      credentialIssuer: trust.addresses.credentialIssuerUrl,
      receivedAt: base.now(),
    })
    const { environment, didRegistryBaseUrl, tirBaseUrl, rootDid } = trust.addresses
    const registries = createWalletTrust(wallet.http, {
      environment,
      didRegistryBaseUrl,
      tirBaseUrl,
      rootDids: [rootDid],
    })
    const { redirectUri } = await present(wallet, link, registries)
    return redirectUri
  }

  const logIn: IdpContext['logIn'] = async (options = {}) => {
    const login = await beginLogin(options)
    await presentTo(login)
    const callback = await awaitReturn(login)
    if (callback === undefined) {
      endCheck(inconclusive(`The browser was not back at the relying party in ${patience} s`))
    }
    const code = callback.searchParams.get('code')
    if (code === null) {
      endCheck(broken('The browser came back without a code', { actual: callback.search }))
    }
    return { ...login, callback, code }
  }

  const requestTokens: IdpContext['requestTokens'] = async (form, party) => {
    const url = await endpoint('token_endpoint')
    const http = httpAs('relying-party')
    if (party === undefined) return http.request(url, { form })
    const { clientId, clientSecret } = party
    if (target.clientAuthentication === 'body') {
      return http.request(url, { form: { ...form, client_secret: clientSecret } })
    }
    const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const authorization = `Basic ${Buffer.from(basic).toString('base64')}`
    return http.request(url, { form, headers: { authorization } })
  }

  const codeForm: IdpContext['codeForm'] = ({ code }, party: IdpParty = client) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: party.redirectUri,
    client_id: party.clientId,
  })

  return {
    ...base,
    target,
    trust,
    discover,
    endpoint,
    authorizationUrl,
    createBrowser,
    beginLogin,
    present: presentTo,
    awaitReturn,
    logIn,
    requestTokens,
    codeForm,
    async logInForTokens(options = {}) {
      const login = await logIn(options)
      const { party = client } = options
      const answer = await requestTokens(codeForm(login, party), party)
      return { ...login, tokens: requireJson(answer, 'The token request') }
    },
  }
}

/** The link for a wallet on the same device; what a QR code on the page says is the same. */
function findPresentationLink({ url, status, text }: HttpPage): string {
  if (status !== 200) {
    const kind = classifyStatus(status)
    const reason = `The authorization endpoint answered HTTP ${status} at ${url}`
    endCheck(kind === 'accepted' || kind === 'refused' ? broken(reason) : inconclusive(reason))
  }
  const found = findLink(text.replaceAll('&amp;', '&'), 'request')
  if (found === undefined) {
    endCheck(inconclusive('The page holds no openid4vp: link to present to.'))
  }
  return found.link
}
