import {
  askForCredential,
  createRequestBody,
  redeemOffer,
  withWrongClock,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

interface WrongClock {
  readonly name: string
  readonly what: string
  /** How far the phone is ahead, in seconds. */
  readonly ahead: number
  readonly isRefused: boolean
}

const clocks: readonly WrongClock[] = [
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

function scenarioFor({ name, what, ahead, isRefused }: WrongClock, index: number): Scenario {
  return defineScenario({
    id: `time/proof-clock-${name}`,
    title: `A proof of possession from a clock ${what} is ${isRefused ? 'refused' : 'accepted'}`,
    category: 'Time',
    algorithms: oneAlgorithm(index),
    description: `
The wallet redeems an offer and proves possession of its key, with an \`iat\` from a clock that is
${what}. Five minutes of delay and a minute of difference are let through, no more.

${
  isRefused
    ? 'The issuer answers 400 `invalid_proof`; with the right time the same wallet gets its credential.'
    : 'The issuer answers with the credential.'
}`,
    references: [
      { document: 'Document 1', section: 'Proof of possession JWT (credential request)' },
      { document: 'Assumptions', section: 'A-38' },
    ],
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
      const cNonce = await step(`It asks with a clock ${what} and is refused`, async () => {
        const { error, c_nonce } = expectJson(await request(ahead), 400)
        expectEqual('the error', error, 'invalid_proof')
        return expectMatch('a fresh c_nonce', c_nonce, /./)
      })
      await step('With the right time it gets its credential', async () => {
        const { credential } = expectJson(await request(0, cNonce), 200)
        expectPresent('the credential', credential as string | undefined)
      })
    },
  })
}

export const scenarios = clocks.map(scenarioFor)
