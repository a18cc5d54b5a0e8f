import { sendBefore } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { Call, WalletFault } from './wallet-fault.ts'

const invalidGrant = { at: 'token', status: 400, error: 'invalid_grant' } as const
const invalidRequest = { at: 'token', status: 400, error: 'invalid_request' } as const

/** Returns a different PIN of the same length and characters. */
function otherPin(pin: unknown): string {
  const text = String(pin)
  const last = text.at(-1) === '1' ? '2' : '1'
  return text.slice(0, -1) + last
}

function withWrongPin(call: Call): Call {
  const form = new URLSearchParams(call.body)
  form.set('tx_code', otherPin(form.get('tx_code')))
  return { ...call, body: form.toString() }
}

/** Deviations of the PIN in the token request. */
export const pinFaults: readonly WalletFault[] = [
  {
    name: 'pin-missing',
    description: 'The PIN that the offer requires is missing.',
    needs: ['pin'],
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ tx_code: undefined }) },
  },
  {
    name: 'pin-wrong',
    description: 'The last character of the PIN is wrong.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ tx_code: otherPin }) },
  },
  {
    name: 'pin-unasked',
    description: 'The wallet sends a PIN although the offer does not require it.',
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ tx_code: '4935' }) },
  },
  {
    name: 'pin-guessed',
    description: 'The wallet sends five wrong PINs before the correct PIN.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenCall: sendBefore((call) => Array.from({ length: 5 }, () => withWrongPin(call))) },
  },
  {
    name: 'pin-wrong-length',
    description: 'The last character of the PIN is missing.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ tx_code: (pin: unknown) => String(pin).slice(0, -1) }) },
  },
  {
    name: 'pin-wrong-characters',
    description: 'The PIN consists of letters although the offer requires digits.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: {
      tokenRequest: setMembers({ tx_code: (pin: unknown) => 'x'.repeat(String(pin).length) }),
    },
  },
]
