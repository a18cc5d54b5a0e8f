import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import * as openid from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { RelyingPartyContext } from '#conformance/plans/relying-party/context.ts'
import { openRelyingPartyPlan } from '#conformance/plans/relying-party/open-relying-party-plan.ts'
import { zRelyingPartyTarget } from '#conformance/plans/relying-party/z-target.ts'
import { listenForTest } from '#test/support/servers.ts'

/** What applications do differently without being wrong, and what is wrong. */
interface Habits {
  /** The status of a rejected login. */
  readonly status?: number
  /** The login page: a redirect, a link, or a form with one button. */
  readonly loginPage?: (address: string) => { readonly status: number; readonly body: string }
  /** The method of the form of the login page. */
  readonly formMethod?: 'GET' | 'POST'
  /** Redirects to a page that shows the user after a login. */
  readonly hasHome?: boolean
  /** Logs the user of a rejected ID token in. */
  readonly keepsRejected?: boolean
  /** Answers a rejected login with a redirect to the same page. */
  readonly isLoop?: boolean
  /** Receives the redirect as a form. */
  readonly isFormPost?: boolean
  /** Sends the same state in each login. */
  readonly state?: string
  readonly hasPkce?: boolean
  readonly hasNonce?: boolean
  /** Sends the same nonce in each login. */
  readonly nonce?: string
  /** Seconds since the user was authenticated, at most. */
  readonly maxAge?: number
  /** Verifies the signature. */
  readonly verifies?: boolean
  /** The page at the end of a login, by the claims. */
  readonly show?: (claims: openid.IDToken) => string
  /** The page of a rejected login. */
  readonly explain?: (error: unknown) => string
}

const cookieOf = ({ headers }: IncomingMessage) => /login=(\w+)/.exec(headers.cookie ?? '')?.[1]

/** An application with openid-client that ends its logins at the redirect URI. */
async function startApplication(habits: Habits = {}) {
  const { status = 400, hasPkce = true, hasNonce = true, verifies = true } = habits
  const { show = ({ name }) => `Hello ${name}`, explain = () => 'The login failed.' } = habits
  const logins = new Map<string, openid.AuthorizationCodeGrantChecks>()
  const users = new Map<string, openid.IDToken>()
  let issuer = ''
  let own = ''
  const discover = () =>
    openid.discovery(new URL(issuer), 'my-app', 'secret of the app', undefined, {
      execute: [
        openid.allowInsecureRequests,
        ...(verifies ? [openid.enableNonRepudiationChecks] : []),
      ],
    })
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', own)
    const id = openid.randomState().replace(/\W/g, '')
    try {
      if (url.pathname === '/start' && request.method !== (habits.formMethod ?? 'POST')) {
        return void response.writeHead(405).end()
      }
      if (url.pathname === '/login' || url.pathname === '/start') {
        const state = habits.state ?? openid.randomState()
        const nonce = habits.nonce ?? openid.randomNonce()
        const pkceCodeVerifier = openid.randomPKCECodeVerifier()
        const { href } = openid.buildAuthorizationUrl(await discover(), {
          ...{ redirect_uri: `${own}/callback`, scope: 'openid', state },
          ...(hasNonce && { nonce }),
          ...(habits.maxAge && { max_age: String(habits.maxAge) }),
          ...(habits.isFormPost && { response_mode: 'form_post' }),
          ...(hasPkce && {
            code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: 'S256',
          }),
        })
        logins.set(id, {
          expectedState: state,
          idTokenExpected: true,
          ...(hasNonce && { expectedNonce: nonce }),
          ...(habits.maxAge && { maxAge: habits.maxAge }),
          ...(hasPkce && { pkceCodeVerifier }),
        })
        response.setHeader('set-cookie', `login=${id}; HttpOnly`)
        if (url.pathname === '/start' || !habits.loginPage) {
          return void response.writeHead(302, { location: href }).end()
        }
        const page = habits.loginPage(href)
        return void response.writeHead(page.status).end(page.body)
      }
      const user = users.get(cookieOf(request) ?? '')
      if (url.pathname === '/home') return void response.end(user ? show(user) : 'Log in')
      const checks = logins.get(cookieOf(request) ?? '')
      logins.delete(cookieOf(request) ?? '')
      if (!checks) throw new Error('no login')
      const { method = '' } = request
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const received = habits.isFormPost
        ? new Request(url, { method, headers, body: await text(request) })
        : url
      const tokens = await openid.authorizationCodeGrant(await discover(), received, checks)
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('no ID token')
      if (!habits.hasHome) return void response.end(show(claims))
      users.set(cookieOf(request) ?? '', claims)
      response.writeHead(303, { location: '/home' }).end()
    } catch (error) {
      const { claims } = Object(((error as Error).cause as Error | undefined)?.cause)
      if (habits.keepsRejected && claims) users.set(cookieOf(request) ?? '', claims)
      if (habits.isLoop) return void response.writeHead(302, { location: '/again' }).end()
      response.writeHead(status).end(explain(error))
    }
  })
  own = await listenForTest(server)
  return {
    target: {
      plan: 'relying-party',
      name: 'Under test',
      client: {
        clientId: 'my-app',
        clientSecret: 'secret of the app',
        redirectUri: `${own}/callback`,
      },
      loginUrl: `${own}/login`,
    },
    useIssuer: (address: string) => {
      issuer = address
    },
  }
}

/** The verdicts of checks, by id. */
async function runAgainst(habits: Habits, only: readonly string[], members: object = {}) {
  const application = await startApplication(habits)
  const { signal } = new AbortController()
  const options = { exchanges: createExchangeLog(), signal }
  const target = zRelyingPartyTarget.parse({ ...application.target, ...members })
  const plan = await openRelyingPartyPlan(target, options)
  onTestFinished(plan.close)
  application.useIssuer(plan.target.addresses['OpenID provider'] ?? '')
  const all = await loadChecks<RelyingPartyContext>('relying-party')
  const checks = all.filter(({ id }) => only.includes(id))
  const runs = await runPlan(plan, { ...options, checks, once: true })
  return Object.fromEntries(
    runs.map(({ check, result }) => {
      const { reason, fix } = result.check ?? {}
      return [check.id, `${result.verdict}: ${reason} ${fix}`]
    }),
  )
}

const verdictsOf = async (...args: Parameters<typeof runAgainst>) =>
  Object.fromEntries(
    Object.entries(await runAgainst(...args)).map(([id, text]) => [id, text.split(':')[0]]),
  )

describe('a conformant application', () => {
  it.each<[string, Habits]>([
    ['rejects with HTTP 500', { status: 500 }],
    ['rejects with HTTP 200', { status: 200 }],
    ['requires a recent authentication', { maxAge: 60 }],
    ['shows only the sub', { show: ({ sub }) => JSON.stringify({ sub }) }],
    [
      'escapes the email',
      { show: ({ email }) => String(email).replace('@', '&#64;').replaceAll('.', '&#x2e;') },
    ],
    [
      'has a page with a link',
      {
        loginPage: (address) => ({
          status: 200,
          body: `<a href="${address.replaceAll('&', '&amp;')}">Log in</a>`,
        }),
      },
    ],
    [
      'has a form with one button',
      {
        loginPage: () => ({
          status: 200,
          body: '<form action=/start method=post><input type=hidden name=csrf value="x"></form>',
        }),
      },
    ],
    [
      'has a form with one button that is sent by GET',
      {
        formMethod: 'GET',
        loginPage: () => ({
          status: 200,
          body: '<form action=/start><button>Log in</button></form>',
        }),
      },
    ],
  ])('passes if it %s', async (_, habits) => {
    const only = ['R01', 'R10', 'R20', 'R33']
    expect(await verdictsOf(habits, only)).toEqual({
      R01: 'passed',
      R10: 'passed',
      R20: 'passed',
      R33: 'passed',
    })
  })

  it('may have the same state in each login if PKCE or the nonce differs', async () => {
    const only = ['R03', 'R10', 'R11']
    const passed = { R03: 'passed', R10: 'passed', R11: 'passed' }
    const state = 'the-same-state'
    expect(await verdictsOf({ state, hasNonce: false }, only)).toEqual(passed)
    expect(await verdictsOf({ state, hasPkce: false }, only)).toEqual(passed)
  })

  it('compares the nonce even if it is the same in each login, or the same as state', async () => {
    const nonce = 'the-same-nonce'
    const verdicts = { R04: 'warned', R33: 'passed' }
    expect(await verdictsOf({ nonce }, ['R04', 'R33'])).toEqual(verdicts)
    expect(await verdictsOf({ nonce, state: nonce }, ['R04', 'R33'])).toEqual(verdicts)
  })

  it('may reject users without powers or with an unverified email', async () => {
    const show = ({ name, power, email_verified }: openid.IDToken) => {
      if (power === '[]' || email_verified === false) throw new Error('You may not do anything.')
      return `Hello ${name}`
    }
    expect(await verdictsOf({ show }, ['R46'])).toEqual({ R46: 'passed' })
  })

  it('may receive the redirect as a form', async () => {
    const only = ['R01', 'R10', 'R17']
    const passed = { R01: 'passed', R10: 'passed', R17: 'passed' }
    expect(await verdictsOf({ isFormPost: true }, only)).toEqual(passed)
  })

  it('need not call userinfo', async () => {
    expect(await verdictsOf({}, ['R08', 'R44'])).toEqual({ R08: 'passed', R44: 'passed' })
  })
})

describe('verdicts', () => {
  it('warn about an application that does not verify signatures', async () => {
    const verdicts = await verdictsOf({ verifies: false }, ['R20', 'R23', 'R24'])
    expect(verdicts).toEqual({ R20: 'passed', R23: 'warned', R24: 'inconclusive' })
  })

  it('warn once about server errors', async () => {
    const verdicts = await verdictsOf({ status: 500 }, ['R14', 'R40', 'R47'])
    expect(verdicts).toEqual({ R14: 'passed', R40: 'passed', R47: 'warned' })
  })

  it('also rest on the page at which a valid login ends', async () => {
    const only = ['R01', 'R33']
    const verdicts = { R01: 'passed', R33: 'passed' }
    expect(await verdictsOf({ hasHome: true }, only)).toEqual(verdicts)
    const careless = { hasHome: true, keepsRejected: true }
    expect(await verdictsOf(careless, only)).toEqual({ ...verdicts, R33: 'failed' })
  })

  it('warn once about endless redirects', async () => {
    const only = ['R14', 'R20', 'R33', 'R47']
    const passed = { R14: 'passed', R20: 'passed', R33: 'passed' }
    expect(await verdictsOf({ isLoop: true }, only)).toEqual({ ...passed, R47: 'warned' })
  })

  it.each([429, 504])('do not treat HTTP %d as a rejection', async (status) => {
    const verdicts = await verdictsOf({ status }, ['R20', 'R33'])
    expect(verdicts).toEqual({ R20: 'inconclusive', R33: 'inconclusive' })
  })

  it('ignore the values on an error page', async () => {
    // The error of openid-client contains the claims.
    const explain = (error: unknown) => inspect(error, { depth: 9 })
    expect(await verdictsOf({ explain }, ['R30'])).toEqual({ R30: 'passed' })
  })

  it('are inconclusive for rejections if no login shows its user', async () => {
    const verdicts = await runAgainst({ show: () => 'Hello' }, ['R01', 'R20', 'R60'])
    expect(verdicts.R01).toMatch(/^failed: .*name, email or sub/)
    expect(verdicts.R20).toMatch(/^inconclusive: .*see R01/)
    expect(verdicts.R60).toMatch(/^inconclusive: .*see R01/)
  })

  it('name a member of the target that does not match', async () => {
    const client = { clientId: 'my-app', clientSecret: 's', redirectUri: 'http://127.0.0.1:9/x' }
    const verdicts = await runAgainst({}, ['R01', 'R20'], { client })
    expect(verdicts.R01).toMatch(/^failed: .*redirect_uri.*client\.redirectUri of the target file/)
    expect(verdicts.R20).toMatch(/^inconclusive: .*see R01.*redirect_uri/)
  })

  it('say what to do about a loginUrl that does not lead to the provider', async () => {
    const { loginUrl } = (await startApplication({ status: 200 })).target
    const verdicts = await runAgainst({}, ['R01'], { loginUrl: new URL('/other', loginUrl).href })
    expect(verdicts.R01).toMatch(/^failed: loginUrl does not lead.*set loginUrl of the target file/)
  })

  it('need more than the email to distinguish users with the same one', async () => {
    const byEmail = await runAgainst({ show: ({ email }) => String(email) }, ['R65'])
    expect(byEmail.R65).toMatch(/^inconclusive: .*only the email/)
    expect(await verdictsOf({}, ['R65'])).toEqual({ R65: 'passed' })
  })

  it('ask for a page that shows the user if the login ends at the redirect URI', async () => {
    const verdicts = await runAgainst({}, ['R60', 'R61'])
    expect(verdicts.R60).toMatch(/^inconclusive: .*userPage/)
    expect(verdicts.R61).toMatch(/^inconclusive: .*userPage/)
  })

  it('name a userPage that does not show the user', async () => {
    const { loginUrl } = (await startApplication()).target
    const userPage = new URL('/no-such-page', loginUrl).href
    const verdicts = await runAgainst({}, ['R01', 'R60', 'R62'], { userPage })
    expect(verdicts.R01).toMatch(/^inconclusive: .*HTTP 400.*correct userPage/)
    expect(verdicts.R60).toMatch(/^inconclusive: .*correct userPage/)
    expect(verdicts.R62).toMatch(/^passed/)
  })

  it('compare the place of the client secret with the registered one', async () => {
    const asBody = await verdictsOf({}, ['R07'], { clientAuthentication: 'body' })
    const asBasic = await verdictsOf({}, ['R07'], { clientAuthentication: 'basic' })
    expect([asBody.R07, asBasic.R07].sort()).toEqual(['failed', 'passed'])
  })
})
