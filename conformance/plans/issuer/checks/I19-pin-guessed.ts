import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { readOffer } from '../flow/read-offer.ts'
import { sendPin } from '../flow/send-pin.ts'
import { wrongPin } from '../flow/wrong-pin.ts'
import type { IssuerContext } from '../issuer-context.ts'

const guesses = 10

export const check = defineCheck<IssuerContext>({
  id: 'I19',
  title: 'Who guesses at a PIN ends the offer',
  level: 'practice',
  expectation: 'advice',
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
    return expectRefused(context, await sendPin(context, offer, pin), {
      what: `The right PIN after ${guesses} wrong ones`,
      control: 'pin',
    })
  },
})
