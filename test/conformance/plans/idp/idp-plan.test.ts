import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingOfError } from '#conformance/kit/classify-answer.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import type { OpenPlanOptions } from '#conformance/kit/plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import { checks as people } from '#conformance/plans/idp/checks/people.ts'
import type { IdpContext, TokenAnswer } from '#conformance/plans/idp/context.ts'
import { findLinkOfPage, findPresentationLink } from '#conformance/plans/idp/find-login-page.ts'
import { idpCaller, openIdpPlan } from '#conformance/plans/idp/open-idp-plan.ts'
import { verifyIdToken } from '#conformance/plans/idp/read-tokens.ts'
import { awaitReturn, findSessionCode } from '#conformance/plans/idp/sessions.ts'
import { zIdpTarget } from '#conformance/plans/idp/z-target.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import { answerEverything, listenForTest } from '#test/support/servers.ts'
import { startLoginServices } from '#testbed/conformance/start-login-services.ts'

const createOptions = (): OpenPlanOptions => ({
  exchanges: createExchangeLog(),
  signal: new AbortController().signal,
})
const client = {
  clientId: 'relying-party',
  clientSecret: 'secret of the client',
  redirectUri: 'http://127.0.0.1:9/relying-party',
}

/** Runs the plan with a separate kit, whose trust the IDP need not know. */
async function runAgainst(
  members: object,
  only?: readonly string[],
  once = false,
  trusted?: typeof kit,
) {
  const options = createOptions()
  const target = zIdpTarget.parse({
    plan: 'idp',
    name: 'Under test',
    client,
    patience: 0.2,
    kit: { seed: 'another one' },
    ...members,
  })
  const plan = await openIdpPlan(target, options, trusted)
  try {
    const all = await loadChecks<IdpContext>('idp')
    const checks = all.filter(({ id }) => only === undefined || only.includes(id))
    return await runPlan(plan, { ...options, checks, once })
  } finally {
    await plan.close()
  }
}

const idsOf = (runs: readonly CheckRun[], verdict: string) =>
  runs.filter(({ result }) => result.verdict === verdict).map(({ check }) => check.id)

/**
 * A provider that requests request_uri, and rejects what it finds there and in request.
 * @param metadata members of its discovery document
 * @param error for each of the two
 */
async function startObjectProvider(metadata: object, error: string) {
  const server = createServer(async (request, response) => {
    const { origin, pathname, searchParams } = new URL(
      request.url ?? '',
      `http://${request.headers.host}`,
    )
    if (pathname === '/.well-known/openid-configuration') {
      const body = { issuer: origin, authorization_endpoint: `${origin}/authorize`, ...metadata }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      return
    }
    const requestUri = searchParams.get('request_uri')
    if (requestUri !== null) await (await fetch(requestUri)).text()
    const isObject = requestUri !== null || searchParams.has('request')
    const location = `${client.redirectUri}?error=${error}`
    response.setHeader('content-type', 'text/html')
    response.writeHead(isObject ? 302 : 200, isObject ? { location } : {}).end(passwordForm)
  })
  return listenForTest(server)
}

/** An OpenID provider as it comes, with a form to log in and without wallets. */
async function startPlainProvider() {
  const server = createServer()
  const issuer = await listenForTest(server)
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    responseTypes: ['code'],
    pkce: { required: () => false },
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
      },
    ],
  })
  server.on('request', provider.callback())
  return issuer
}

/** A provider whose authorization endpoint shows this page for every other request than the right one. */
async function startFormProvider(otherwise: string, logout = '/login') {
  const server = createServer((request, response) => {
    const { origin, pathname, searchParams } = new URL(
      request.url ?? '',
      `http://${request.headers.host}`,
    )
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (pathname === '/.well-known/openid-configuration') {
      const endpoints = {
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        end_session_endpoint: `${origin}/logout`,
      }
      return json(200, { issuer: origin, ...endpoints })
    }
    if (pathname === '/token') {
      const basic = `Basic ${Buffer.from([client.clientId, client.clientSecret].map(encodeURIComponent).join(':')).toString('base64')}`
      const isKnown = request.headers.authorization === basic
      return isKnown
        ? json(400, { error: 'invalid_grant' })
        : json(401, { error: 'unauthorized_client' })
    }
    if (pathname === '/logout') {
      const location = searchParams.get(logout) ?? logout
      return response.writeHead(302, { location }).end()
    }
    if (pathname !== '/authorize' && pathname !== '/login') {
      return response.writeHead(302, { location: '/login' }).end()
    }
    const isRight = Object.entries(rightRequest).every(
      ([name, value]) => searchParams.get(name) === value,
    )
    const page = isRight || pathname === '/login' ? passwordForm : otherwise
    // A token against forgery makes each page different.
    response.writeHead(200, { 'content-type': 'text/html' }).end(`${page}<!-- ${Math.random()} -->`)
  })
  return listenForTest(server)
}

const rightRequest = {
  client_id: client.clientId,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  scope: 'openid profile email openid-vp-lear',
}
const passwordForm = '<form method="post"><input name="password" type="password"></form>'

let services: Awaited<ReturnType<typeof startLoginServices>>
let kit: Awaited<ReturnType<typeof openKit>>
beforeAll(async () => {
  kit = await openKit({}, idpCaller, createOptions())
  services = await startLoginServices(kit.trust)
})
afterAll(async () => {
  await services?.close()
  await kit?.close()
})

describe('the plan for IDPs', () => {
  it('does not count a rejection by an IDP that rejects every credential', async () => {
    const { idpBaseUrl: issuer, client: own, secondClient } = services
    // Repeating each of its rejections would take twice as long, for the same verdicts.
    const runs = await runAgainst({ issuer, client: own, secondClient }, undefined, true)
    // Its verifier trusts other registries than those of this kit.
    expect(idsOf(runs, 'failed')).toEqual(['O02'])
    const withoutLogin = ['O03', 'O04', 'O05', 'O08', 'O20', 'O22', 'O23']
    const ofRequests = ['O35', 'O36', 'O37', 'O38', 'O39']
    const ofService = ['O01', 'O16', 'O26', 'O27', 'O28', 'O31', 'O33', 'O56', 'O85']
    const ofVariants = ['O58', 'O59', 'O61', 'O62', 'O63', 'O64', 'O65', 'O66', 'O68', 'O82']
    const ofTokens = ['O25', 'O76', 'O77', 'O78', 'O84', 'O94', 'O95']
    const due = [...withoutLogin, ...ofRequests, ...ofService, ...ofVariants, ...ofTokens]
    expect(idsOf(runs, 'passed')).toEqual(due.toSorted())
    const presenting = runs.filter(({ check }) => check.control === 'presentation')
    for (const { result } of presenting) expect(result.check?.reason).toContain('see O02')
    // One check sends valid presentations, and the others rely on its result.
    const sending = presenting.filter(({ result }) => result.hops.length > 0)
    expect(sending.map(({ check }) => check.id)).toEqual(['O19'])
  })

  it('verifies requests that a verifier signs with the key in the target', async () => {
    const { idpBaseUrl: issuer, client: own } = services
    // The kit of the run has another seed, and therefore another verifier.
    const { kid, privateKey } = kit.trust.world.createParty('verifier')
    const { d: _, ...publicKeyJwk } = privateKey
    const signer = { kid, publicKeyJwk }
    const [[without], [withSigner]] = await Promise.all([
      runAgainst({ issuer, client: own }, ['O57']),
      runAgainst({ issuer, client: own, signer }, ['O57']),
    ])
    expect(without?.result.verdict).toBe('inconclusive')
    expect(without?.result.check?.reason).toContain('Add its key as signer to the target.')
    expect(withSigner?.result.verdict).toBe('passed')
  })

  it('decides what needs no wallet if the provider logs users in with a form', async () => {
    const issuer = await startPlainProvider()
    const runs = await runAgainst({ issuer, client, walletLogin: false })
    // Its discovery document announces more than the profile, and it has no health, metrics and documentation.
    expect(idsOf(runs, 'failed')).toEqual(['O01', 'O26', 'O27', 'O85'])
    // Its authorization endpoint has no POST unless it is turned on; its pages may be in frames;
    // errors of its token endpoint may be pages.
    expect(idsOf(runs, 'warned')).toEqual(['O58', 'O63', 'O68'])
    const ofClients = ['O08', 'O20', 'O22', 'O23', 'O31', 'O65', 'O66', 'O82']
    const ofRequests = ['O03', 'O04', 'O05', 'O36', 'O37', 'O38', 'O39']
    const ofVariants = ['O25', 'O59', 'O60', 'O61', 'O62', 'O64', 'O76', 'O77', 'O78', 'O84']
    const notAnnounced = ['O94', 'O95']
    const due = [...ofClients, ...ofRequests, ...ofVariants, ...notAnnounced]
    expect(idsOf(runs, 'passed')).toEqual(due.toSorted())
  })

  const aboutRequests = ['O03', 'O04', 'O05', 'O35', 'O36', 'O38', 'O39']
  it('is inconclusive about a form that may precede the rejection', async () => {
    const issuer = await startFormProvider(passwordForm)
    const only = [...aboutRequests, 'O28', 'O37']
    const runs = await runAgainst({ issuer, client, walletLogin: false }, only)
    expect(idsOf(runs, 'inconclusive')).toEqual([...aboutRequests, 'O28'].toSorted())
    // prompt=none rules out every form.
    expect(idsOf(runs, 'warned')).toEqual(['O37'])
  })

  it('recognizes an error page by the missing form', async () => {
    const issuer = await startFormProvider('<p>This request is not valid.</p>')
    const runs = await runAgainst({ issuer, client, walletLogin: false }, ['O03', 'O04', 'O05'])
    expect(idsOf(runs, 'passed')).toEqual(['O03', 'O04', 'O05'])
  })

  it('warns about a logout that leads to an unregistered address', async () => {
    const page = '<p>This request is not valid.</p>'
    const issuer = await startFormProvider(page, 'post_logout_redirect_uri')
    const runs = await runAgainst({ issuer, client, walletLogin: false }, ['O03'])
    expect(idsOf(runs, 'warned')).toEqual(['O03'])
  })

  it('knows clients of a provider that calls a wrong secret unauthorized_client', async () => {
    const issuer = await startFormProvider(passwordForm)
    const runs = await runAgainst({ issuer, client, walletLogin: false }, ['O08', 'O22'])
    expect(idsOf(runs, 'warned')).toEqual(['O08'])
    expect(idsOf(runs, 'passed')).toEqual(['O22'])
  })

  it.each([429, 503])('does not treat HTTP %i as a verdict', async (status) => {
    const runs = await runAgainst({ issuer: await answerEverything(status, { error: 'busy' }) })
    expect(idsOf(runs, 'inconclusive')).toHaveLength(runs.length)
  })

  it.each([
    ['accepts everything', 200],
    ['redirects every client', 302],
    ['rejects everything', 400],
    ['is closed to every client', 401],
    ['does not exist', 404],
  ])(
    'does not pass an IDP that %s, and fails only what is open to every client',
    async (_what, status) => {
      const runs = await runAgainst({ issuer: await answerEverything(status, {}) })
      expect(idsOf(runs, 'passed')).toEqual([])
      expect(idsOf(runs, 'failed')).toEqual(['O01', 'O26', 'O27'])
      expect(idsOf(runs, 'warned')).toEqual([])
    },
  )

  it('names the client in the body of each token request if its secret is there', async () => {
    const { idpBaseUrl: issuer, client: own } = services
    const members = { issuer, client: own, clientAuthentication: 'body' }
    const runs = await runAgainst(members, ['O23', 'O72'], true, { ...kit, close: async () => {} })
    expect(idsOf(runs, 'passed')).toEqual(['O23', 'O72'])
  })

  it('finds an address to continue at that gives a code to every browser, and after FAILED', async () => {
    const { idpBaseUrl: issuer, client: own } = services
    const location = `${own.redirectUri}?code=of-the-login`
    const origin = await listenForTest(
      createServer((_request, response) => response.writeHead(302, { location }).end()),
    )
    const members = { issuer, client: own, continueAt: `${origin}/continue?session={session}` }
    const runs = await runAgainst(members, ['O19', 'O30'], true, { ...kit, close: async () => {} })
    expect(idsOf(runs, 'failed')).toEqual(['O19'])
    expect(idsOf(runs, 'warned')).toEqual(['O30'])
  })

  it.each([
    ['advertises only request_uri and requests it', {}, 'invalid_request_uri', 'passed'],
    ['advertises both', { request_parameter_supported: true }, 'invalid_request_uri', 'passed'],
    [
      'requests a request_uri that it does not advertise',
      { request_uri_parameter_supported: false },
      'invalid_request_uri',
      'warned',
    ],
    [
      'advertises both and does not support them',
      { request_parameter_supported: true },
      'request_not_supported',
      'warned',
    ],
  ])('evaluates request objects of an IDP that %s', async (_what, metadata, error, verdict) => {
    const issuer = await startObjectProvider(metadata, error)
    const [run] = await runAgainst({ issuer, client, walletLogin: false }, ['O61'])
    expect(run?.result).toMatchObject({ verdict })
  })

  it('accepts an issuer address with a trailing slash', async () => {
    const { idpBaseUrl, client: own } = services
    const runs = await runAgainst({ issuer: `${idpBaseUrl}/`, client: own }, ['O01'])
    expect(idsOf(runs, 'passed')).toEqual(['O01'])
  })
})

describe('an id_token', () => {
  /** What verifying an id_token against these published keys finds. */
  async function findWith(change: (jwk: JWK) => unknown) {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const issuer = 'https://idp.example'
    const id_token = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setIssuer(issuer)
      .setAudience(client.clientId)
      .setSubject('ana')
      .setIssuedAt()
      .setExpirationTime('1 minute')
      .sign(privateKey)
    const jwk = { ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256' }
    const { d } = await exportJWK(privateKey)
    const json = { keys: [change({ ...jwk, ...(d && { d }) })] }
    const answer = { method: 'GET', url: `${issuer}/jwks`, status: 200, json, text: '' }
    const context = {
      discover: async () => ({ issuer }),
      endpoint: async () => answer.url,
      httpAs: () => ({ request: async () => answer }),
      target: { client },
    } as unknown as IdpContext
    try {
      return (await verifyIdToken(context, { id_token } as TokenAnswer)).claims.sub
    } catch (error) {
      return findingOfError(error)
    }
  }

  it('is verified although a private member of its key is published', async () => {
    expect(await findWith((jwk) => jwk)).toBe('ana')
  })

  it.each<[string, (jwk: JWK) => unknown]>([
    ['not a key', () => 7],
    ['without its modulus', ({ n, ...jwk }) => jwk],
    ['of another type', (jwk) => ({ ...jwk, kty: 'nonsense' })],
  ])('fails its check, and not the kit, if the published key is %s', async (_what, change) => {
    expect(await findWith(change)).toMatchObject({ kind: 'broken' })
  })
})

describe('two logins in a browser that keeps a session', () => {
  /** The finding, if the page of the second login does not redirect but shows this. */
  async function findWith(secondPage: string | undefined) {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const issuer = 'https://idp.example'
    const json = { keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256' }] }
    const answer = { method: 'GET', url: `${issuer}/jwks`, status: 200, json, text: '' }
    const tokensOf = async (sub: string) => ({
      id_token: await new SignJWT({ sub, nonce: 'n' })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(issuer)
        .setAudience(client.clientId)
        .setIssuedAt()
        .setExpirationTime('1 minute')
        .sign(privateKey),
    })
    let session: string | undefined
    const get = async () => ({ url: issuer, status: 200, text: secondPage ?? '' })
    const context = {
      target: { client },
      discover: async () => ({ issuer }),
      endpoint: async () => answer.url,
      httpAs: () => ({ request: async () => answer }),
      createBrowser: () => {
        session = undefined
        return { get }
      },
      beginLogin: async ({ browser, parameters: { prompt } }: never) => ({
        browser,
        page: { url: issuer },
        state: 's',
        nonce: 'n',
        isFresh: prompt === 'login',
      }),
      present: async (_login: unknown, { defect }: { defect?: object }) => ({
        redirectUri: defect ? 'a colleague' : 'a person',
      }),
      // Without a request for a fresh login, the session answers instead of the wallet.
      awaitReturn: async ({ isFresh }: { isFresh: boolean }, presented: string) => {
        if (session && isFresh && secondPage !== undefined) return undefined
        const code = isFresh ? presented : (session ?? presented)
        session = code
        return new URL(`${callback}?${new URLSearchParams({ code, state: 's' })}`)
      },
      codeForm: ({ code }: { code: string }) => ({ code }),
      requestTokens: async ({ code }: { code: string }) => ({
        ...answer,
        json: await tokensOf(code),
      }),
    } as unknown as IdpContext
    return (await people['O79-parallel-logins']?.run(context))?.kind
  }

  it.each([
    ['accepted if a fresh login does not use the session', undefined, 'held'],
    ['a finding if the second does not return', '<p>Try again</p>', 'broken'],
    [
      'not decided if the second continues with a script',
      '<form method="post"><script>document.forms[0].submit()</script></form>',
      'inconclusive',
    ],
  ])('are %s', async (_what, secondPage, kind) => {
    expect(await findWith(secondPage)).toBe(kind)
  })
})

const callback = 'http://127.0.0.1:9/callback'
const authorization = 'https://idp.example/accounts/authorize?client_id=kit'
const page = 'https://idp.example/login'
const { signal } = new AbortController()

/** A login in a browser for which one address leads back, from the given visit on. */
function loginThatEndsAt(end: string, visit = 1) {
  const visited: string[] = []
  const pageAt = (url: string, status: number, text = ''): HttpPage => ({
    url,
    status,
    headers: new Headers(),
    text,
    visited: [url],
  })
  const get = async (url: string) => {
    visited.push(url)
    const isBack = url === end && visited.filter((each) => each === url).length >= visit
    return isBack ? pageAt(`${callback}?code=c`, 0) : pageAt(url, 200)
  }
  const browser = { get, submit: () => get(''), cookiesFor: () => '' }
  const shown = pageAt(page, 200, '<main data-session="s3ss-10n">')
  return {
    visited,
    login: { browser, url: authorization, page: shown, link: '', state: '', nonce: '' },
  }
}

const targetWith = (members: object) => ({
  signal,
  hasFailed: async () => false,
  target: zIdpTarget.parse({
    plan: 'idp',
    name: 'A third-party IDP',
    issuer: 'https://idp.example/',
    client: { clientId: 'kit', clientSecret: 'secret', redirectUri: callback },
    ...members,
  }),
})

describe('the browser of a login that a wallet has answered', () => {
  it('reloads the page until it redirects back', async () => {
    const { login, visited } = loginThatEndsAt(page, 3)
    const back = await awaitReturn(targetWith({}), login)
    expect(back?.searchParams.get('code')).toBe('c')
    expect(visited).toEqual([page, page, page])
  })

  it('opens the address in the target file, with the session', async () => {
    const continueAt = 'https://idp.example/continue?session={session}'
    const { login } = loginThatEndsAt('https://idp.example/continue?session=s3ss-10n')
    expect(await awaitReturn(targetWith({ continueAt }), login)).toBeDefined()
  })

  it.each([
    ['at the redirect_uri of the wallet', 'https://idp.example/done?response_code=1'],
    ['by repeating its authorization request', authorization],
  ])('continues %s if its page does not redirect', async (_where, end) => {
    const { login } = loginThatEndsAt(end)
    const target = targetWith({ patience: 0.01 })
    const redirectUri = 'https://idp.example/done?response_code=1'
    expect((await awaitReturn(target, login, redirectUri))?.href).toBe(`${callback}?code=c`)
  })

  it('is abandoned once its session has failed', async () => {
    const { login, visited } = loginThatEndsAt(page, 3)
    const target = { ...targetWith({}), hasFailed: async () => true }
    expect(await awaitReturn(target, login)).toBe(undefined)
    expect(visited).toEqual([page])
  })

  it('has not returned if it only opened an app', async () => {
    const { login } = loginThatEndsAt('nowhere')
    const browser = {
      ...login.browser,
      get: async () => ({ ...login.page, status: 0, url: 'app:x' }),
    }
    const target = targetWith({ patience: 0.01 })
    expect(await awaitReturn(target, { ...login, browser })).toBe(undefined)
  })
})

describe('login pages', () => {
  const link =
    'openid4vp://?client_id=did%3Aorg%3Auc-pre%3Az1&request_uri=https%3A%2F%2Fv.example%2F7'
  const page = (text: string, url = 'https://idp.example/login'): HttpPage => ({
    url,
    status: 200,
    headers: new Headers(),
    text,
    visited: [url],
  })
  const unused = { request: () => Promise.reject(new Error('unexpected request')) }

  describe('the link for wallets on a third-party page', () => {
    const inJson = link.replaceAll('/', '\\/').replaceAll('&', '\\u0026')
    it.each([
      ['in an attribute', `<a href="${link.replaceAll('&', '&amp;')}">Open</a>`],
      ['in single quotes', `<a href='${link.replaceAll('&', '&amp;')}'>Open</a>`],
      ['with numeric references', `<a href="${link.replaceAll('&', '&#x26;')}">Open</a>`],
      ['with decimal references', `<a href="${link.replaceAll('&', '&#38;')}">Open</a>`],
      ['in JSON in a script', `<script>let state = {"link":"${inJson}","a":1}</script>`],
      [
        'in JSON in an attribute',
        `<div data-state="{&quot;link&quot;:&quot;${link}&quot;}"></div>`,
      ],
    ])('is found %s', (_where, text) => {
      expect(findLinkOfPage(page(text))).toBe(link)
    })

    it('is found if the browser is redirected directly to the wallet', () => {
      expect(findLinkOfPage({ ...page('', link), status: 0 })).toBe(link)
    })

    it('is found in the QR code if the page does not contain it elsewhere', async () => {
      const png = Buffer.from(createQrPng(link)).toString('base64')
      const text = `<p>Scan it</p><img alt='QR' src='data:image/png;base64,${png}'>`
      expect(await findPresentationLink(unused, page(text))).toBe(link)
    })

    it('is not invented: a check without one is inconclusive', async () => {
      const found = findPresentationLink(unused, page('<svg><path d="M0 0h1"/></svg>'))
      await expect(found).rejects.toMatchObject({ extra: { finding: { kind: 'inconclusive' } } })
    })
  })

  describe('the session code on a third-party page', () => {
    it.each([
      ['an attribute', '<main data-session="s3ss-10n.c0de">'],
      ['an attribute with a longer name', "<main data-session-code='s3ss-10n.c0de'>"],
      ['the address that is polled', "fetch('/idp/api/auth/requests?session=s3ss-10n.c0de')"],
      ['a variable', 'const session = "s3ss-10n.c0de"'],
      ['JSON', '{"next":"\\/home","session_code":"s3ss-10n.c0de"}'],
      ['JSON in an attribute', '<i data-x="{&quot;sessionId&quot;:&quot;s3ss-10n.c0de&quot;}">'],
      ['a hidden field', '<input type="hidden" name="session" value="s3ss-10n.c0de">'],
    ])('is found in %s', (_where, text) => {
      expect(findSessionCode(page(text))).toBe('s3ss-10n.c0de')
    })

    it('is found in the address of the page', () => {
      const url = 'https://idp.example/qr?session=s3ss-10n.c0de'
      expect(findSessionCode(page('<img src="/qr.svg">', url))).toBe('s3ss-10n.c0de')
    })

    it('is not taken from similar values', () => {
      expect(findSessionCode(page('Your session: has ended. const session = getSession()'))).toBe(
        undefined,
      )
    })
  })
})
