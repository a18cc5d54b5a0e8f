import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I20',
  title: 'What is no PIN of the announced form brings no token',
  level: 'practice',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/credential-offer-object.4'],
  description:
    'Comparisons that cut, pad or convert what was typed let somebody in who has a part of the PIN.',
  sends: 'The PIN without its last digit, and letters in place of digits.',
  decides:
    'The token endpoint answers 4xx with invalid_grant or invalid_request; with the PIN the same request gets a token.',
  needs: ['pin'],
  run: (context) =>
    expectDeviationsRefused(context, {
      'pin-wrong-length': { errors: ['invalid_grant', 'invalid_request'] },
      'pin-wrong-characters': { errors: ['invalid_grant', 'invalid_request'] },
    }),
})
