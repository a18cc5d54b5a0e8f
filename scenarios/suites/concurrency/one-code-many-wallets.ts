import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const wallets = 20

export const scenario = defineScenario({
  id: 'concurrency/one-code-many-wallets',
  title: `Of ${wallets} wallets that redeem one code at once exactly one gets the credential`,
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
A QR was photographed by ${wallets} people, who redeem its code in the same moment. The code is for one
of them: exactly one wallet gets the credential, the others are told \`invalid_grant\`. Which one wins
is left to chance; that two win would be two credentials for one record.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet' },
    { document: 'OpenID4VCI 1.0', section: '4.1.1' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const { offerUri } = await step('There is an offer', () => control.createOffer())
    const outcomes = await step(`${wallets} wallets accept it at once`, () =>
      atOnce(wallets, async () => {
        const wallet = context.createWallet()
        try {
          await acceptOffer(wallet, offerUri, { policy: {} })
          return undefined
        } catch (error) {
          return error
        }
      }),
    )
    await step('Exactly one has the credential', async () => {
      const refusals = outcomes.filter((outcome) => outcome !== undefined)
      expectEqual('the number of winners', wallets - refusals.length, 1)
      for (const refusal of refusals) {
        await expectWalletRefusal('a loser', Promise.reject(refusal), {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        })
      }
    })
    await step('The next offer works as ever', () =>
      collectCredential(context, context.createWallet()),
    )
  },
})
