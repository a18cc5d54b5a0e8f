import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findPinsSent } from '../findings/find-pins-sent.ts'

export const check = defineCheck<WalletContext>({
  id: 'W04',
  title: 'A PIN of four to eight digits is sent as it was typed',
  level: 'spec',
  expectation: 'accept',
  control: 'offers',
  rows: [
    '1.resources-and-their-fields/credential-offer-object.4',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
  ],
  description: 'A PIN is a text: a wallet that reads it as a number loses zeros in front.',
  sends:
    'Three offers with tx_code {length 4, 6, 8, input_mode numeric}, and PINs of which some begin with zero.',
  decides: 'tx_code of each token request is the PIN, and the credential is handed out.',
  run: (context) => findPinsSent(context, ['4935', '049352', '00718293']),
})
