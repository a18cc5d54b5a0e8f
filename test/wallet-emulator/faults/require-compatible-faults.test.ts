import { describe, expect, it } from 'vitest'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { sendWithFaults } from '#wallet-emulator/faults/apply-faults.ts'
import { allFaults, findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { requireCompatibleFaults } from '#wallet-emulator/faults/require-compatible-faults.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const account = createAccount({ seed: 'faults' })
const wallet = (...names: string[]) => createWallet({ account, faults: findFaults(names) })

describe('the faults of a wallet', () => {
  it.each([
    ['of several messages', ['pin-wrong', 'proof-wrong-aud', 'presentation-wrong-aud']],
    ['of several members', ['proof-wrong-aud', 'proof-wrong-nonce', 'proof-missing-typ']],
    ['of a message and how it is sent', ['token-json-body', 'token-code-reused', 'pin-wrong']],
    [
      'within one form',
      ['submission-wrong-path', 'submission-wrong-format', 'response-wrong-state'],
    ],
    ['of one body', ['credential-unknown-type', 'credential-other-format', 'proof-missing']],
  ])('can be combined: %s', (_, names) => {
    expect(wallet(...names).faults.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['proof-wrong-aud', 'proof-missing-aud', 'proof.payload.aud'],
    ['proof-alg-none', 'proof-bad-signature', 'proof.signature'],
    ['holder-mismatch', 'presentation-other-iss', 'presentation.payload.iss'],
    // One within the other, in either order.
    ['submission-missing', 'submission-wrong-path', 'presentationResponse.presentation_submission'],
    ['submission-wrong-path', 'submission-missing', 'presentationResponse.presentation_submission'],
    ['bearer-missing', 'bearer-garbage', 'credentialCall.authorization'],
    ['proof-wrong-aud', 'proof-wrong-aud', 'proof.payload.aud'],
  ])('conflict with each other: %s and %s', (one, other, member) => {
    const refusal = expect.objectContaining({
      code: 'unfit_faults',
      message: `${one} and ${other} conflict with each other: both set ${member}.`,
    })
    expect(() => wallet(one, other)).toThrow(refusal)
  })

  it('must match the account’s curve', () => {
    const edwards = createAccount({ curve: 'Ed25519', seed: 'faults' })
    expect(() => wallet('proof-order-added')).toThrow(
      expect.objectContaining({ code: 'unfit_faults' }),
    )
    expect(() => requireCompatibleFaults(findFaults(['proof-der-signature']), edwards)).toThrow(
      expect.objectContaining({ code: 'unfit_faults' }),
    )
    expect(() => requireCompatibleFaults(findFaults(['proof-order-added']), edwards)).not.toThrow()
  })

  it('are each valid as the only fault of a wallet', () => {
    for (const fault of allFaults) {
      const curve = fault.algorithms?.includes('ES256K') === false ? 'Ed25519' : 'secp256k1'
      expect(() => requireCompatibleFaults([fault], createAccount({ curve }))).not.toThrow()
    }
  })
})

describe('faults of one request', () => {
  it.each([[['pin-guessed', 'token-json-body']], [['token-json-body', 'pin-guessed']]])(
    'send the same request in any order: %j',
    async (names) => {
      const bodies: string[] = []
      const sending = createWallet({
        account,
        faults: findFaults(names),
        http: {
          allowPrivateAddresses: true,
          fetch: async (_url, { body }) => {
            bodies.push(String(body))
            return Response.json({})
          },
        },
      })
      await sendWithFaults(sending, 'tokenCall', {
        url: 'http://127.0.0.1/token',
        method: 'POST',
        body: 'pre-authorized_code=code&tx_code=4935',
      })
      const sent = (pin: string) => ({ 'pre-authorized_code': 'code', tx_code: pin })
      expect(bodies.map((body) => JSON.parse(body))).toEqual([
        ...Array.from({ length: 5 }, () => sent('4931')),
        sent('4935'),
      ])
    },
  )
})

describe('findFaults', () => {
  it('returns faults in the order of the names', () => {
    const names = ['pin-wrong', 'bearer-missing']
    expect(findFaults(names).map(({ name }) => name)).toEqual(names)
    expect(findFaults([])).toEqual([])
  })

  it.each([
    ['pin-worng', 'pin-wrong'],
    ['presentation-wrong-audience', 'presentation-wrong-aud'],
    ['holdermismatch', 'holder-mismatch'],
  ])('suggests the nearest names for %s', (name, nearest) => {
    expect(() => findFaults(['pin-wrong', name])).toThrow(
      expect.objectContaining({
        code: 'unknown_fault',
        hints: [expect.stringMatching(`^Did you mean ${nearest}\\b`)],
      }),
    )
  })
})
