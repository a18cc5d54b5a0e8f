import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, completeLogin } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { postPresentation, preparePresentation } from '#scenarios/fixtures/presentations.ts'
import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

interface ProofClock {
  readonly name: string
  readonly what: string
  /** How far the phone's clock is ahead, in seconds. */
  readonly ahead: number
  readonly isRefused: boolean
}

const proofClocks: readonly ProofClock[] = [
  {
    name: 'slightly-behind',
    what: 'four and a half minutes behind',
    ahead: -270,
    isRefused: false,
  },
  { name: 'behind', what: 'six minutes behind', ahead: -360, isRefused: true },
  { name: 'slightly-ahead', what: 'half a minute ahead', ahead: 30, isRefused: false },
  { name: 'ahead', what: 'two minutes ahead', ahead: 120, isRefused: true },
]

function proofScenario({ name, what, ahead, isRefused }: ProofClock, index: number): Scenario {
  return defineScenario({
    id: `time/proof-clock-${name}`,
    title: `A proof of possession from a clock ${what} is ${isRefused ? 'rejected' : 'accepted'}`,
    algorithms: oneAlgorithm(index),
    description: `
The wallet redeems an offer and proves possession of its key, with an \`iat\` from a clock that is
${what}. The issuer tolerates at most five minutes in the past and one minute in the future.

${
  isRefused
    ? 'The issuer returns 400 `invalid_proof`; with the correct time the same wallet gets its credential.'
    : 'The issuer returns the credential.'
}`,
    references: cite(
      'Profile: 1.resources-and-their-fields/proof-of-possession-jwt',
      'Assumptions: A-38',
    ),
    needs: ['clock'],

    async run(context) {
      const { step, control } = context
      const wallet = context.createWallet()
      const redeemed = await step('A wallet redeems an offer', async () =>
        redeemOffer(wallet, (await control.createOffer()).offerUri),
      )
      const { accessToken } = redeemed.token
      const request = (ahead: number, cNonce?: string) => {
        const body = createRequestBody(withWrongClock(wallet, ahead), redeemed, cNonce)
        return askForCredential(context, accessToken, body)
      }
      if (!isRefused) {
        await step(`It asks with a clock ${what} and gets its credential`, async () => {
          const { credential } = expectJson(await request(ahead), 200)
          expectMatch('the credential', credential, /^ey/)
        })
        return
      }
      const cNonce = await step(`It asks with a clock ${what} and is rejected`, async () => {
        const { error, c_nonce } = expectJson(await request(ahead), 400)
        expectEqual('the error', error, 'invalid_proof')
        return expectMatch('a fresh c_nonce', c_nonce, /./)
      })
      await step('With the correct time it gets its credential', async () => {
        const { credential } = expectJson(await request(0, cNonce), 200)
        expectPresent('the credential', credential as string | undefined)
      })
    },
  })
}

interface WalletClock {
  readonly name: string
  readonly what: string
  /** How far the phone's clock is ahead, in seconds. */
  readonly ahead: number
  /** The rule that the presentation breaks; without one the login succeeds. */
  readonly rule?: string
}

const walletClocks: readonly WalletClock[] = [
  { name: 'slightly-ahead', what: 'half a minute ahead', ahead: 30 },
  { name: 'ahead', what: 'two minutes ahead', ahead: 120, rule: 'presentation.issued-at' },
  { name: 'slightly-behind', what: 'two minutes behind', ahead: -120 },
  { name: 'behind', what: 'an hour behind', ahead: -3600, rule: 'presentation.expiry' },
]

function loginScenario({ name, what, ahead, rule }: WalletClock, index: number): Scenario {
  const verdict = rule === undefined ? 'logs in' : 'is rejected'
  return defineScenario({
    id: `time/wallet-clock-${name}`,
    title: `A wallet whose clock is ${what} ${verdict}`,
    algorithms: oneAlgorithm(index),
    description: `
Clocks of phones are not exact. The wallet signs its presentation with a clock that is ${what}: \`iat\`
and \`exp\` are wrong by this time.

${
  rule === undefined
    ? 'This is within the tolerance for clocks: the session ends as `SUCCESS`.'
    : `This exceeds the tolerance: the post is answered with 200, the session ends as \`FAILED\`
for \`${rule}\`. An attacker could otherwise keep a presentation with a future time and use it later.`
}`,
    references: cite(
      'Profile: 1.resources-and-their-fields/presentation-token',
      'Assumptions: A-28',
    ),
    needs: ['clock'],

    async run(context) {
      const { step, environment } = context
      const wallet = withWrongClock(context.createWallet(), ahead)
      await step('A wallet holds a credential', () =>
        giveOwnCredential(context, environment.trustChain.issuer, wallet),
      )
      const { login, relyingParty } = await step('A browser shows a QR code', beginLogin)
      await step(`The wallet answers with a clock ${what}`, async () => {
        const prepared = await preparePresentation(context, wallet, login.link)
        expectStatus(await postPresentation(context, prepared), 200)
      })
      if (rule === undefined) {
        const tokens = await step('The login succeeds', async () => {
          return completeLogin({ login, relyingParty })
        })
        expectPresent('the id_token', tokens.idToken)
        return
      }
      await step(`The login fails because of ${rule}`, async () => {
        await login.awaitEnd('FAILED')
        expectEqual('the broken rules', brokenRulesOf(await login.reload()), [rule])
      })
    },
  })
}

/** The same wallet on a phone whose clock is this many seconds ahead, or behind if negative. */
function withWrongClock(wallet: Wallet, seconds: number): Wallet {
  return { ...wallet, now: () => wallet.now() + seconds }
}

export const scenarios = [...proofClocks.map(proofScenario), ...walletClocks.map(loginScenario)]
