import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenarios = [4, 5, 6, 7, 8].map((length, index) =>
  defineScenario({
    id: `issuance/numeric-pin-${length}-digits`,
    title: `An offer that asks for a PIN of ${length} digits`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
The offer travels by QR, the PIN **another way** (a message, a letter), so that whoever photographs
the screen has only half of it. \`tx_code\` tells the wallet what to ask its holder for: how many
characters, of which kind, and in words.`,
    references: [
      { document: 'Document 1', section: 'credential_offer object, rows 3, 4' },
      { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 5' },
    ],

    async run(context) {
      const { step, control } = context
      const wallet = context.createWallet()
      const description = `The ${length} digits of the letter`

      const { offerUri, pin } = await step('The issuer makes an offer with a PIN', () =>
        control.createOffer({ txCode: { length, inputMode: 'numeric', description } }),
      )
      await step(`The PIN has ${length} digits and is not in the link`, () => {
        expectMatch('the PIN', pin, new RegExp(`^[0-9]{${length}}$`))
        const offer = JSON.parse(new URL(offerUri).searchParams.get('credential_offer') ?? '{}')
        const [grant] = Object.values(offer.grants) as { tx_code: unknown }[]
        const expected = { length, input_mode: 'numeric', description }
        expectEqual('tx_code, which tells all but the PIN', grant?.tx_code, expected)
      })
      const asked: TxCode[] = []
      await step('The wallet asks its holder once, and gets the credential', async () => {
        const getPin = (txCode: TxCode) => {
          asked.push(txCode)
          return pin
        }
        await acceptOfferLink(context, wallet, offerUri, { getPin })
        expectEqual('what the holder was asked', asked, [
          { length, inputMode: 'numeric', description },
        ])
      })
    },
  }),
)
