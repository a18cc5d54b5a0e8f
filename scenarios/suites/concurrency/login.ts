import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectRefusal,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const posts = 10

const onePresentationManyPosts = defineScenario({
  id: 'concurrency/one-presentation-many-posts',
  title: 'A presentation that is posted ten times at the same time logs in once',
  algorithms: ['ES256K'],
  description: `
On a bad connection a wallet posts its presentation ${posts} times at the same moment. The session
becomes \`SUCCESS\` and stays in this state; each post is answered with 200. The browser's code can be
exchanged for tokens once. The second attempt is rejected, as an attacker could have seen the code.`,
  references: cite(
    'Profile: 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet',
    'Profile: 1.resources-and-their-fields/verification-session',
    'Assumptions: A-30, A-31',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const { login, relyingParty } = await step('A browser shows a QR code', beginLogin)
    await step(`The wallet posts its answer ${posts} times at the same time`, async () => {
      const prepared = await preparePresentation(context, wallet, login.link)
      const answers = await atOnce(posts, () => postPresentation(context, prepared))
      const statuses = answers.map(({ status }) => status)
      expectEqual('the statuses', statuses, Array(posts).fill(200))
    })
    const address = await step('The session has succeeded once', async () => {
      await login.awaitEnd('SUCCESS')
      return login.followRedirect()
    })
    await step('The code yields tokens once', async () => {
      const tokens = await relyingParty.redeem(address)
      expectPresent('the id_token', tokens.idToken)
      const refusal = await expectRefusal('the code a second time', relyingParty.redeem(address))
      expectEqual('the error', (refusal as { error?: unknown }).error, 'invalid_grant')
      await login.awaitEnd('SUCCESS')
    })
  },
})

const browsers = 8

const pollsEach = 5

const pollingBrowsers = defineScenario({
  id: 'concurrency/polling-browsers',
  title: 'Many browsers poll at the same time, and each sees only its own session',
  algorithms: ['EdDSA'],
  description: `
${browsers} browsers show a QR code and ask for the state of their session repeatedly. One wallet answers
one of them. Only that session becomes \`SUCCESS\`; all others stay \`PENDING\`, and all session codes are
different. A state never changes back: after the first \`SUCCESS\` no other state follows.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/verification-session',
    'Profile: 1.endpoints/credential-idp',
    'Assumptions: A-31',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const logins = await step(`${browsers} browsers show a QR code`, () =>
      atOnce(browsers, async () => (await beginLogin(context)).login),
    )
    const [chosen] = logins
    if (chosen === undefined) throw new TypeError('unreachable')
    expectEqual(
      'the number of different sessions',
      new Set(logins.map(({ sessionCode }) => sessionCode)).size,
      browsers,
    )
    const seen = await step('All ask while a wallet answers one of them', async () => {
      const prepared = await preparePresentation(context, wallet, chosen.link)
      const posted = postPresentation(context, prepared)
      const results = await atOnce(browsers, async (index) => {
        const states: unknown[] = []
        const { sessionCode = '' } = logins[index] ?? {}
        for (let poll = 0; poll < pollsEach; poll += 1) {
          states.push(await readSessionStatus(context, sessionCode))
        }
        return states
      })
      await posted
      return results
    })
    await step('Only that session has succeeded, and its state no longer changes', async () => {
      await chosen.awaitEnd('SUCCESS')
      const [ofChosen = [], ...ofOthers] = seen
      const order = ofChosen.map((state) => ['PENDING', 'SUCCESS'].indexOf(String(state)))
      const isInOrder = order.every(
        (state, index) => state >= 0 && state >= (order[index - 1] ?? 0),
      )
      expectTrue('no earlier state follows', isInOrder, ofChosen)
      const others = new Set(ofOthers.flat())
      expectEqual('the states of the others', [...others], ['PENDING'])
    })
    await step('The other sessions are unchanged', async () => {
      for (const { sessionCode } of logins.slice(1)) {
        expectEqual('the state', await readSessionStatus(context, sessionCode), 'PENDING')
      }
    })
  },
})

const wallets = 20

const walletsLogInAtOnce = defineScenario({
  id: 'concurrency/wallets-log-in-at-once',
  title: `${wallets} people log in at the same time, each as themselves`,
  algorithms: ['EdDSA'],
  description: `
At nine o'clock ${wallets} people log in, each with a separate browser and wallet. All succeed, and each
relying party gets the claims of *its* holder: the address, the number, the \`sub\`. No claims are mixed
up, and each \`sub\` is different.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/idp-id-token-claims',
    'Assumptions: A-31, A-42',
  ),

  async run(context) {
    const { step, environment } = context
    const { issuer } = environment.trustChain
    const people = await step(`Each of ${wallets} wallets holds a credential`, () =>
      atOnce(wallets, async (index) => {
        const wallet = context.createWallet()
        const employeeId = `employee-${context.uniqueName}-${index}`
        const credential = await giveOwnCredential(context, issuer, wallet, { employeeId })
        return { wallet, claims: expectedClaims(credential) }
      }),
    )
    const tokens = await step('All log in at the same time', () =>
      Promise.all(people.map(({ wallet }) => logIn(context, wallet))),
    )
    await step('Each is logged in as themselves', () => {
      for (const [index, { idTokenClaims }] of tokens.entries()) {
        expectIncludes(`the claims of ${index}`, idTokenClaims, people[index]?.claims ?? {})
      }
      const subjects = new Set(tokens.map(({ idTokenClaims }) => idTokenClaims.sub))
      expectEqual('the number of different subjects', subjects.size, wallets)
    })
  },
})

export const scenarios = [onePresentationManyPosts, pollingBrowsers, walletsLogInAtOnce]
