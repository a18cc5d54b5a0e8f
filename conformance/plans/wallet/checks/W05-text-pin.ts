import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findPinsSent } from '../findings/find-pins-sent.ts'

export const check = defineCheck<WalletContext>({
  id: 'W05',
  title: 'A PIN of letters and signs is sent as it was typed',
  level: 'final',
  expectation: 'accept',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description:
    'input_mode may be text. Signs that mean something in a form, and capitals, have to arrive as they are.',
  sends:
    'An offer with tx_code {input_mode text}, and a PIN with capitals, an ampersand and a plus sign.',
  decides: 'tx_code of the token request is the PIN, and the credential is handed out.',
  run: (context) => findPinsSent(context, ['Kx7+p&Q=9z']),
})
