import { collectCredential, createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims, holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import {
  authorizationUrlOf,
  beginLogin,
  beginLoginWithCredential,
  completeLogin,
} from '#scenarios/fixtures/log-in.ts'
import { readLoginPage, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import {
  postPresentation,
  preparePresentation,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'

const sessionSucceedsOnce = defineScenario({
  id: 'login/session-succeeds-once',
  title: 'A session changes from PENDING to SUCCESS once, and sends one browser back once',
  algorithms: ['EdDSA'],
  description: `
The session is \`PENDING\` until a wallet answers, and \`SUCCESS\` after a valid presentation. An invalid presentation
that arrives later is answered and has no effect on the state or on the holder of the login.

The browser is led back with one code. The page's address does not lead to a second one.`,
  references: cite(
    'Profile: 1.states-and-transitions.6',
    'Profile: 1.resources-and-their-fields/verification-session',
    'Assumptions: A-30, A-31',
  ),

  async run(context) {
    const { step, control } = context
    const [wallet, expired] = [context.createWallet(), context.createWallet()]
    const statusOf = (sessionCode: string) => readSessionStatus(context, sessionCode)

    const credential = await step(
      'One wallet holds a valid credential, one an expired one',
      async () => {
        const order = { defect: 'expired', holderDid: expired.account.did }
        const { credential: bad } = await control.createDefectiveCredential(order)
        await holdCredential(context, expired, expectPresent('the credential', bad))
        return collectCredential(context, wallet)
      },
    )
    const { relyingParty, login } = await step('A relying party begins a login', beginLogin)
    const late = await step('The session is pending, and both scan the code', async () => {
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      return preparePresentation(context, expired, login.link)
    })
    await step('The valid presentation makes it a success', async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('SUCCESS')
    })
    await step('The invalid one arrives too late to have an effect', async () => {
      expectStatus(await postPresentation(context, late), 200)
      expectEqual('the session', await statusOf(login.sessionCode), 'SUCCESS')
    })
    await step('The login is that of the first holder', async () => {
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(credential))
    })
    await step('The page does not lead back a second time', async () => {
      const { status, url } = await login.reload()
      expectTrue('the way back is closed', status >= 400 && status < 500, `${status} ${url}`)
    })
  },
})

const failedIsFinal = defineScenario({
  id: 'login/failed-is-final',
  title: 'A failed session stays failed after later presentations',
  algorithms: ['ES256K'],
  description: `
Two wallets scan one code. The first presents a credential that is not valid yet: the session is
\`FAILED\`. Then the second presents a valid one **for the same request**. The response is 200 and the
presentation has no effect: repeated attempts cannot succeed, and the browser gets no code.`,
  references: cite('Profile: 1.states-and-transitions.7', 'Assumptions: A-30'),

  async run(context) {
    const { step, control } = context
    const [wallet, early] = [context.createWallet(), context.createWallet()]

    await step(
      'One wallet holds a valid credential, one a credential that is not valid yet',
      async () => {
        const order = { defect: 'not-yet-valid', holderDid: early.account.did }
        const { credential } = await control.createDefectiveCredential(order)
        await holdCredential(context, early, expectPresent('the credential', credential))
        await collectCredential(context, wallet)
      },
    )
    const { login } = await step('A relying party begins a login', beginLogin)
    const good = await step('Both scan its code', () =>
      preparePresentation(context, wallet, login.link),
    )
    await step('The first one fails', async () => {
      const prepared = await preparePresentation(context, early, login.link)
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('FAILED')
    })
    await step('The second one is answered and has no effect', async () => {
      const answer = expectStatus(await postPresentation(context, good), 200)
      expectEqual('the response', answer.json, {})
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'FAILED')
    })
    await step('The browser stays on the page', async () => {
      const { status, text } = await login.reload()
      expectEqual('the status of the page', status, 200)
      expectTrue('the page shows the failure', text.includes('data-state="failed"'))
    })
  },
})

const unknownSession = defineScenario({
  id: 'login/unknown-session',
  title: 'A poll for an unknown session reveals nothing',
  algorithms: ['ES256K'],
  description: `
The state of a session is public for clients that know its code: the response is **exactly** \`{status}\`.
Unknown and malformed codes all result in a 404 with the same body, so that a client cannot learn the form
of codes. Codes are random: those of two logins have different beginnings.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'Profile: 1.authentication.5',
    'Assumptions: A-31, A-36',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const poll = (query: Record<string, string>) =>
      httpAs('stranger').request(
        `${environment.idpBaseUrl}/idp/api/auth/requests?${new URLSearchParams(query)}`,
      )
    const sessionCode = await step('Each of two logins has a session code', async () => {
      const [one, other] = [await beginLogin(context), await beginLogin(context)]
      // 128 bits in base64url.
      const code = expectMatch('the code', one.login.sessionCode, /^[\w-]{22,}$/)
      const start = other.login.sessionCode.slice(0, 4)
      expectEqual('whether they begin with the same characters', code.startsWith(start), false)
      return code
    })
    await step('A poll with the code returns only the state', async () => {
      expectEqual('the response', expectJson(await poll({ session: sessionCode }), 200), {
        status: 'PENDING',
      })
    })
    await step('Every other code is 404, with the same body for all of them', async () => {
      const [first = '', ...rest] = sessionCode
      const queries: readonly Record<string, string>[] = [
        { session: [first === 'A' ? 'B' : 'A', ...rest].join('') },
        { session: sessionCode.slice(0, -1) },
        { session: 'unknown' },
        { session: "' OR 1=1 --" },
        { session: '' },
        { session: 'x'.repeat(2000) },
      ]
      const bodies: string[] = []
      for (const query of queries) {
        bodies.push(expectStatus(await poll(query), 404).text)
      }
      expectEqual('the number of different bodies', new Set(bodies).size, 1)
    })
  },
})

const otherBrowser = defineScenario({
  id: 'login/other-browser',
  title: 'A stolen session code does not give access to the login',
  algorithms: ['ES256K'],
  description: `
An attacker has copied both the address of a login's page and its session code. With the code the attacker
can read the **state**, which is public, and nothing else. The page is only for the browser that began
the login: it rejects any other browser, before and after the wallet has
presented, and another browser can neither cancel nor renew it.

The browser that began the login is redirected with a code.`,
  references: cite('Profile: 1.authentication.5', 'Assumptions: A-31'),

  async run(context) {
    const { step, environment, httpAs } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const { redirectUri } = environment.oidcClient
    const thief = createHttpBrowser([redirectUri], {}, httpAs('thief').fetch)
    const expectNothing = ({ status, text, url }: HttpPage) => {
      expectTrue('the attacker is rejected', status >= 400 && status < 500, `${status} ${url}`)
      expectTrue('the page has no code to scan', !text.includes('id="qr"'))
      expectTrue('the page does not contain the session code', !text.includes(login.sessionCode))
    }
    await step('An attacker opens the page and can neither see, renew nor cancel it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.submit(`${login.page.url}/renew`, {}))
      expectNothing(await thief.submit(`${login.page.url}/cancel`, {}))
    })
    await step('The wallet presents; the attacker sees the public state', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      expectEqual('the state', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step('The attacker is not led back with it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.get(`${login.page.url}?session=${login.sessionCode}`))
      const resume = login.page.url.replace('/accounts/interaction/', '/accounts/authorize/')
      const { status, url } = await thief.get(resume)
      expectTrue('resuming is rejected', status >= 400 && status < 500, `${status} ${url}`)
    })
    await step('The browser that began the login is led back', async () =>
      relyingParty.redeem(await login.followRedirect()),
    )
  },
})

const noSingleSignOn = defineScenario({
  id: 'login/no-single-sign-on',
  title: 'Every login asks for the credential again',
  algorithms: ['EdDSA'],
  description: `
A user has just logged in and begins a second login in the same browser. The page shows **a new code**: the
IDP does not keep a session, since a session that outlived its login would also outlive the revocation
of the credential. A relying party that requests a login without interaction (\`prompt=none\`) receives
\`login_required\`.`,
  references: cite('Profile: 1.what-the-service-does', 'OpenID Connect Core 1.0: 3.1.2.6'),

  async run(context) {
    const { step } = context
    const wallet = await createWalletWithCredential(context)
    const { login } = await step('A user logs in', async () => {
      const begun = await beginLogin(context)
      await presentCredential(context, wallet, begun.login.link)
      await completeLogin(begun)
      return begun
    })
    await step('The same browser begins another login and shows a new code', async () => {
      const page = await login.browser.get(authorizationUrlOf(context).href)
      const next = readLoginPage(context, login.browser, page)
      expectTrue('the session is different', next.sessionCode !== login.sessionCode)
    })
    await step('Without interaction the login fails', async () => {
      const { href } = authorizationUrlOf(context, { prompt: 'none' })
      const { status, url } = await login.browser.get(href)
      expectEqual('the status at the relying party', status, 0)
      expectEqual('error', new URL(url).searchParams.get('error'), 'login_required')
    })
  },
})

export const scenarios = [
  sessionSucceedsOnce,
  failedIsFinal,
  unknownSession,
  otherBrowser,
  noSingleSignOn,
]
