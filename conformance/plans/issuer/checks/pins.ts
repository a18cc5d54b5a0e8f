import { allHeld, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { readOffer, sendPin, wrongPin } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

const guesses = 10

export const checks = defineChecks<IssuerContext>({
  'I17-pin-wrong': {
    title: 'A wrong PIN brings no token',
    level: 'spec',
    expectation: 'refuse',
    control: 'pin-offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'The PIN is what keeps somebody who photographed the QR code from taking the credential.',
    sends:
      'A PIN of the right length and characters whose last digit is another one, then the PIN.',
    decides:
      'The token endpoint answers the wrong one 4xx, by OpenID4VCI with invalid_grant. Whether the right one still works after it is told; both are in order.',
    needs: ['pin'],
    async run(context) {
      const offer = await readOffer(context, { kind: 'pin' })
      const { pin = '' } = offer.made
      const finding = await findWalletRefusal(await sendPin(context, offer, wrongPin(pin)), {
        what: 'The token request with a wrong PIN',
        errors: ['invalid_grant'],
      })
      if (finding.kind !== 'held') return finding
      const after = classifyStatus((await sendPin(context, offer, pin)).status)
      if (after === 'accepted') return allHeld([finding, held('The right one works after it.')])
      return after === 'refused'
        ? allHeld([finding, held('The offer has ended with it.')])
        : inconclusive('After the wrong PIN the token endpoint gave no verdict.')
    },
  },
  'I19-pin-guessed': {
    title: 'Who guesses at a PIN ends the offer',
    level: 'practice',
    expectation: 'advice',
    control: 'pin-offer',
    clauses: ['RFC 6749, 10.10'],
    description:
      'A PIN of four digits falls within minutes to somebody who may try as often as they like. OpenID4VCI 1.0 sets no limit; the drafts of 1.1 do.',
    sends: `${guesses} wrong PINs for one offer, then the right one.`,
    decides: 'The right one is answered 4xx as well: the code has ended.',
    needs: ['pin'],
    async run(context) {
      const offer = await readOffer(context, { kind: 'pin' })
      const { pin = '' } = offer.made
      for (let guess = 1; guess <= guesses; guess++) {
        const what = `Guess ${guess}`
        // Nine are all different; the tenth is the first once more.
        const finding = findRefusal(
          await sendPin(context, offer, wrongPin(pin, ((guess - 1) % 9) + 1)),
          {
            what,
          },
        )
        if (finding.kind !== 'held') return inconclusive(`${what} was no refusal: see I17.`)
      }
      return findWalletRefusal(await sendPin(context, offer, pin), {
        what: `The right PIN after ${guesses} wrong ones`,
      })
    },
  },
})
