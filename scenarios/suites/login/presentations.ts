import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, beginLoginWithCredential, completeLogin } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import {
  fetchRequest,
  postPresentation,
  preparePresentation,
  presentCredential,
} from '#scenarios/fixtures/presentations.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const postsThatAreNone = defineScenario({
  id: 'login/posts-that-are-none',
  title: 'A post without a presentation does not end a session',
  algorithms: ['EdDSA'],
  description: `
An attacker who sees a code on another person's screen knows the address to post to. Forms without a
presentation, or with an invalid value, are answered with 200. Other media types and a form of 1 MB are
rejected with a 4xx. An unknown address is 404. None of the responses is a server error.

The session stays \`PENDING\` throughout: a login cannot be disturbed without a presentation. The wallet
then presents, and the login succeeds.`,
  references: cite(
    'Profile: 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet',
    'Assumptions: A-30',
  ),

  async run(context) {
    const { step, httpAs } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const good = await step('The wallet scans the code', () =>
      preparePresentation(context, wallet, login.link),
    )
    const stranger = httpAs('stranger')
    const { responseUri, form } = good
    const expectPending = async () =>
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')

    await step('Forms without a presentation are answered with 200', async () => {
      const forms: readonly Record<string, string>[] = [
        {},
        { vp_token: '' },
        { vp_token: 'not a JWT' },
        { vp_token: 'a.b.c', presentation_submission: '{}' },
      ]
      for (const junk of forms) {
        expectStatus(await stranger.request(responseUri, { form: junk, method: 'POST' }), 200)
      }
      await expectPending()
    })
    await step('Other media types and sizes are rejected', async () => {
      for (const junk of [
        { json: form },
        { body: 'vp_token', headers: { 'content-type': 'text/plain' } },
        { form: { vp_token: 'x'.repeat(1024 * 1024) } },
      ]) {
        const { status } = await stranger.request(responseUri, { ...junk, method: 'POST' })
        expectTrue('the response is a 4xx', status >= 400 && status < 500, status)
      }
      await expectPending()
    })
    await step('An unknown address is 404', async () => {
      const elsewhere = responseUri.replace(/[^/]+$/, 'unknown')
      expectStatus(await stranger.request(elsewhere, { form }), 404)
      await expectPending()
    })
    await step('The presentation itself succeeds', async () => {
      expectStatus(await postPresentation(context, good), 200)
      await completeLogin({ login, relyingParty })
    })
  },
})

const replayedPost = defineScenario({
  id: 'login/replayed-post',
  title: 'A recorded presentation cannot be used for another login',
  algorithms: ['ES256K'],
  description: `
An attacker has recorded the presentation of a login that succeeded.

- Posted **to the same session** again, it is answered with 200 and has no effect: the session is over,
  and the response has no \`redirect_uri\`.
- Posted **to a session of the attacker**, it fails: its nonce belongs to another request.

The holder's login is not affected.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/presentation-token',
    'Profile: 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet',
    'Assumptions: A-30, A-36',
  ),

  async run(context) {
    const { step } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const presentation = await step('The wallet presents the credential', async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      expectStatus(await postPresentation(context, prepared), 200)
      await login.awaitEnd('SUCCESS')
      return prepared
    })
    await step('Posted again it has no effect', async () => {
      const answer = expectStatus(await postPresentation(context, presentation), 200)
      expectEqual('the response', answer.json, {})
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step("Posted to the attacker's session it fails", async () => {
      const { login: own } = await beginLogin(context)
      const { responseUri } = await preparePresentation(context, wallet, own.link)
      expectStatus(await postPresentation(context, { ...presentation, responseUri }), 200)
      await own.awaitEnd('FAILED')
    })
    await step("The holder's login continues", async () =>
      relyingParty.redeem(await login.followRedirect()),
    )
  },
})

const raceOfWallets = defineScenario({
  id: 'login/race-of-wallets',
  title: 'Of two wallets that answer one code at the same moment, one logs its holder in',
  algorithms: ['EdDSA'],
  description: `
Two people of different organizations scan the same code and approve at the same moment. Both posts are
answered with 200, but only **one** decides the session: only that response contains a
\`redirect_uri\`, and the browser's tokens are about that holder and never a mixture of both.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'Profile: 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet',
    'Assumptions: A-30',
  ),

  async run(context) {
    const { step, environment } = context
    const wallets = await step('Each of two wallets holds a credential of an organization', () =>
      Promise.all(
        environment.organizations.slice(0, 2).map(async ({ organizationIdentifier }) => {
          const wallet = context.createWallet()
          const credential = await collectCredential(context, wallet, { organizationIdentifier })
          return { wallet, credential }
        }),
      ),
    )
    expectEqual('the number of wallets', wallets.length, 2)
    const { relyingParty, login } = await step('A relying party begins a login', beginLogin)
    const answers = await step('Both wallets answer its code at the same moment', async () => {
      const prepared = await Promise.all(
        wallets.map(({ wallet }) => preparePresentation(context, wallet, login.link)),
      )
      return Promise.all(prepared.map((each) => postPresentation(context, each)))
    })
    const winner = await step(
      'Both are answered; one response contains the address to continue at',
      () => {
        for (const answer of answers) expectStatus(answer, 200)
        const isTold = (json: unknown) => typeof json === 'object' && json && 'redirect_uri' in json
        const winners = wallets.filter((_, index) => isTold(answers[index]?.json))
        expectEqual('the number of winners', winners.length, 1)
        return expectPresent('the winner', winners[0])
      },
    )
    await step('The login belongs to this holder', async () => {
      const { idTokenClaims } = await completeLogin({ login, relyingParty })
      expectIncludes('the id_token', idTokenClaims, expectedClaims(winner.credential))
    })
  },
})

const sameLinkTwice = defineScenario({
  id: 'login/same-link-twice',
  title: 'A QR code can be scanned twice but answered only once',
  algorithms: ['ES256K'],
  description: `
A wallet scans a QR code, and its holder puts the phone away. The second scan returns **the same request**
with the same nonce: scanning a code has no side effect. The wallet answers the second scan, and the
login succeeds.

A third scan, after the response, no longer returns a request, and the login does not change.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/presentation-authorization-request',
    'Profile: 1.resources-and-their-fields/verification-session',
    'Assumptions: A-30, A-36',
  ),

  async run(context) {
    const { step } = context
    const { wallet, relyingParty, login } = await beginLoginWithCredential(context)
    const first = await step(
      'The wallet scans the QR code, and the holder puts the phone away',
      () => fetchRequest(context, login.link),
    )
    await step('It scans the QR code again: it is the same request', async () => {
      const { request } = await fetchRequest(context, login.link)
      expectEqual('the request', request, first.request)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
    })
    await step('After the answer the QR code no longer yields a request', async () => {
      const answering = presentCredential(context, wallet, login.link)
      const { answer } = await expectWalletStop('the third scan', answering, 'invalid_request')
      const { status = 0 } = answer ?? {}
      expectTrue('the verifier rejects it with a 4xx', status >= 400 && status < 500, answer)
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'SUCCESS')
    })
    await step('The login continues', async () => relyingParty.redeem(await login.followRedirect()))
  },
})

export const scenarios = [postsThatAreNone, replayedPost, raceOfWallets, sameLinkTwice]
