import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const requests = 10

export const scenario = defineScenario({
  id: 'concurrency/one-token-many-requests',
  title: 'An impatient wallet that asks ten times at once has one credential in the end',
  category: 'Concurrency',
  algorithms: ['ES256K'],
  description: `
A wallet sends the same credential request ${requests} times in the same moment, with one proof and one
\`c_nonce\`. A nonce works once: exactly one answer brings the credential, the others are 400 with a
fresh nonce. None is a server's fault.`,
  references: [
    { document: 'Document 1', section: 'Proof of possession JWT (credential request)' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const redeemed = await step('A wallet redeems an offer', async () =>
      redeemOffer(wallet, (await control.createOffer()).offerUri),
    )
    const body = createRequestBody(wallet, redeemed)
    const answers = await step(`It asks ${requests} times at once`, () =>
      atOnce(requests, () => askForCredential(context, redeemed.token.accessToken, body)),
    )
    await step('One answer brings the credential', () => {
      const [credential = '', ...others] = answers
        .filter(({ status }) => status === 200)
        .map(({ json }) => (json as { credential: string }).credential)
      expectEqual('the number of further credentials', others.length, 0)
      const { vc } = readCredential(credential)
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
    await step('The others are refused for the nonce', () => {
      for (const answer of answers) {
        if (answer.status === 200) continue
        const { error, c_nonce } = expectJson(answer, 400)
        expectEqual('the error', error, 'invalid_nonce')
        expectMatch('a fresh c_nonce', c_nonce, /^\S{22,}$/)
      }
    })
  },
})
