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
  title: 'A session goes from PENDING to SUCCESS once, and leads one browser back once',
  algorithms: ['EdDSA'],
  description: `
The session is \`PENDING\` while nobody has answered, and \`SUCCESS\` after a good presentation. A bad
one that comes later is answered and changes nothing, neither the state nor whose login it is.

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
      'One wallet holds a good credential, one an expired one',
      async () => {
        const order = { defect: 'expired', holderDid: expired.account.did }
        const { credential: bad } = await control.createDefectiveCredential(order)
        await holdCredential(context, expired, expectPresent('the credential', bad))
        return collectCredential(context, wallet)
      },
    )
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const late = await step('The session is pending, and both scan the code', async () => {
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      return preparePresentation(context, expired, login.link)
    })
    await step('The good presentation makes it a success', async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      expectEqual('the session', await statusOf(login.sessionCode), 'PENDING')
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('SUCCESS')
    })
    await step('The bad one comes too late to change anything', async () => {
      expectStatus(await postPresentation(context, late), 200)
      expectEqual('the session', await statusOf(login.sessionCode), 'SUCCESS')
    })
    await step('The login is that of the first holder', async () => {
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(credential))
    })
    await step('The page leads back no second time', async () => {
      const { status, url } = await login.reload()
      expectTrue('there is no way back any more', status >= 400 && status < 500, `${status} ${url}`)
    })
  },
})

const failedIsFinal = defineScenario({
  id: 'login/failed-is-final',
  title: 'A session that failed stays failed, whatever is presented later',
  algorithms: ['ES256K'],
  description: `
Two wallets scan one code. The first presents a credential that is not valid yet: the session is
\`FAILED\`. Then the second presents a good one **for the same request**. It is answered with 200 and
changes nothing: nobody gets in who goes on trying until it works, and the browser gets no code.`,
  references: cite('Profile: 1.states-and-transitions.7', 'Assumptions: A-30'),

  async run(context) {
    const { step, control } = context
    const [wallet, early] = [context.createWallet(), context.createWallet()]

    await step('One wallet holds a good credential, one that is not valid yet', async () => {
      const order = { defect: 'not-yet-valid', holderDid: early.account.did }
      const { credential } = await control.createDefectiveCredential(order)
      await holdCredential(context, early, expectPresent('the credential', credential))
      await collectCredential(context, wallet)
    })
    const { login } = await step('A relying party begins a login', () => beginLogin(context))
    const good = await step('Both scan its code', () =>
      preparePresentation(context, wallet, login.link),
    )
    await step('The first one fails', async () => {
      const prepared = await preparePresentation(context, early, login.link)
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('FAILED')
    })
    await step('The second one is answered and changes nothing', async () => {
      const answer = expectStatus(await postPresentation(context, good), 200)
      expectEqual('the answer', answer.json, {})
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'FAILED')
    })
    await step('The browser stays where it is', async () => {
      const { status, text } = await login.reload()
      expectEqual('the status of the page', status, 200)
      expectTrue('the page tells of the failure', text.includes('data-state="failed"'))
    })
  },
})

const unknownSession = defineScenario({
  id: 'login/unknown-session',
  title: 'Whoever polls a session that there is not learns nothing',
  algorithms: ['ES256K'],
  description: `
The state of a session is public for whoever has its code: the answer is **exactly** \`{status}\`.
A code that was never given, one that can be none, and none at all are all 404 with the same body, so
that nobody learns how codes look by asking. Codes are random: two logins have two that share no
beginning.`,
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
    const sessionCode = await step('Two logins have a session code each', async () => {
      const [one, other] = [await beginLogin(context), await beginLogin(context)]
      // 128 bits in base64url.
      const code = expectMatch('the code', one.login.sessionCode, /^[\w-]{22,}$/)
      const start = other.login.sessionCode.slice(0, 4)
      expectEqual('whether they begin alike', code.startsWith(start), false)
      return code
    })
    await step('With a code there is the state and nothing else', async () => {
      expectEqual('the answer', expectJson(await poll({ session: sessionCode }), 200), {
        status: 'PENDING',
      })
    })
    await step('Every other code is 404, with one body for all of them', async () => {
      const [first = '', ...rest] = sessionCode
      const queries: readonly Record<string, string>[] = [
        { session: [first === 'A' ? 'B' : 'A', ...rest].join('') },
        { session: sessionCode.slice(0, -1) },
        { session: 'unknown' },
        { session: "' OR 1=1 --" },
        { session: '' },
        { session: 'x'.repeat(2000) },
        {},
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
  title: 'Whoever stole the session code of a login gets nothing with it',
  algorithms: ['ES256K'],
  description: `
Somebody has copied both the address of a login's page and its session code. With the code they may
ask for the **state**, which is public, and learn nothing else. The page is for the browser that
began the login: any other one is told that this login is none of its own, before and after the
wallet has presented, and can neither cancel nor renew it.

The browser that began the login is led back with a code.`,
  references: cite('Profile: 1.authentication.5', 'Assumptions: A-31'),

  async run(context) {
    const { step, environment, httpAs } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const { redirectUri } = environment.oidcClient
    const thief = createHttpBrowser([redirectUri], {}, httpAs('thief').fetch)
    const expectNothing = ({ status, text, url }: HttpPage) => {
      expectTrue('the thief is refused', status >= 400 && status < 500, `${status} ${url}`)
      expectTrue('the page has no code to scan', !text.includes('id="qr"'))
      expectTrue('the page does not tell the session code', !text.includes(login.sessionCode))
    }
    await step('A thief opens the page and can neither see, renew nor cancel it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.submit(`${login.page.url}/renew`, {}))
      expectNothing(await thief.submit(`${login.page.url}/cancel`, {}))
    })
    await step('The wallet presents; the thief sees the state, as anybody may', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      expectEqual('the state', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step('The thief is not led on with it', async () => {
      expectNothing(await thief.get(login.page.url))
      expectNothing(await thief.get(`${login.page.url}?session=${login.sessionCode}`))
      const resume = login.page.url.replace('/accounts/interaction/', '/accounts/authorize/')
      const { status, url } = await thief.get(resume)
      expectTrue('resuming is refused', status >= 400 && status < 500, `${status} ${url}`)
    })
    await step('The browser that began the login is led back', async () =>
      relyingParty.redeem(await login.followRedirect()),
    )
  },
})

const noSingleSignOn = defineScenario({
  id: 'login/no-single-sign-on',
  title: 'Every login asks for the credential anew',
  algorithms: ['EdDSA'],
  description: `
A browser in which somebody has just logged in begins a second login. It is shown **a new code**: the
IDP keeps no session, since one that outlived its login would also outlive the revocation of the
credential. A relying party that asks for a login without the person (\`prompt=none\`) is told
\`login_required\`.`,
  references: cite('Profile: 1.what-the-service-does', 'OpenID Connect Core 1.0: 3.1.2.6'),

  async run(context) {
    const { step } = context
    const wallet = await createWalletWithCredential(context)
    const { login } = await step('Somebody logs in', async () => {
      const begun = await beginLogin(context)
      await presentCredential(context, wallet, begun.login.link)
      await completeLogin(begun)
      return begun
    })
    await step('The same browser begins another login, and is shown a new code', async () => {
      const page = await login.browser.get(authorizationUrlOf(context).href)
      const next = readLoginPage(context, login.browser, page)
      expectTrue('it is another session', next.sessionCode !== login.sessionCode)
    })
    await step('Without the person there is no login', async () => {
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
