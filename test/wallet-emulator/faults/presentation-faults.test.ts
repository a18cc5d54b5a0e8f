import { describe, expect, it } from 'vitest'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { type RunningVerifier, startVerifier } from '#test/support/verifier.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { presentationFaults } from '#wallet-emulator/faults/all-faults.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

const redirectUri = 'http://127.0.0.1:4006/done'

/** What became of a session that the account's wallet answered with these faults. */
async function logIn(
  verifier: RunningVerifier,
  account: Account,
  faults: readonly WalletFault[] = [],
) {
  const { world, servers, runtime } = verifier
  const wallet = createWallet({
    account,
    http: { allowPrivateAddresses: true },
    now: runtime.clock.seconds,
    faults,
  })
  await wallet.store.addCredential({
    id: '0123456789abcdef',
    format: 'jwt_vc_json',
    credential: world.issue(world.credentialPayload(account.did)),
    credentialIssuer: 'https://issuer.example',
    receivedAt: world.now,
  })
  const session = await verifier.createSession({ redirect_uri: redirectUri })
  const resolveDidDocument = createDidResolver(wallet.http, () => servers.baseUrl)
  const [outcome] = await Promise.allSettled([
    present(wallet, session.authorization_request, { resolveDidDocument }),
  ])
  const { status, explanation } = await verifier.inspect(session)
  const rules = [...new Set((explanation?.failures ?? []).map(({ rule }) => rule))]
  const isLedOn = outcome.status === 'fulfilled' && outcome.value.redirectUri !== undefined
  return { outcome, status, rules, isLedOn }
}

/** What the table of faults says, as the test sees it. */
function expectedResult({ expected }: WalletFault) {
  const answered = { status: 'fulfilled' }
  switch (expected.at) {
    case 'verdict':
      return {
        outcome: answered,
        status: 'FAILED',
        rules: [expected.rule, ...(expected.entails ?? [])],
      }
    case 'session':
      return { outcome: answered, status: expected.status, rules: [], isLedOn: false }
    case 'nowhere':
      return { outcome: answered, status: 'SUCCESS', rules: [], isLedOn: true }
    default: {
      const { status, error } = expected
      const reason = { code: 'presentation_refused', extra: { answer: { status, error } } }
      return { outcome: { status: 'rejected', reason }, status: 'PENDING', rules: [] }
    }
  }
}

const accounts = (['secp256k1', 'Ed25519'] as const).map((curve) => createAccount({ curve }))

describe('a wallet at our verifier', () => {
  const cases = presentationFaults.map((fault) => ({ ...fault, ...brokenBy(fault) }))

  it.each(cases)('$check ends as it should with $name', async (fault) => {
    const verifier = await startVerifier()
    for (const account of accounts) {
      if (fault.algorithms?.every((name) => name !== account.algorithm)) continue
      const deviating = await logIn(verifier, account, [fault])
      expect(deviating, account.curve).toMatchObject(expectedResult(fault))
      const correct = await logIn(verifier, account)
      expect(correct, account.curve).toMatchObject({ status: 'SUCCESS', rules: [], isLedOn: true })
    }
  })

  it('breaks the rules of all its faults', async () => {
    const faults = findFaults([
      'presentation-wrong-aud',
      'presentation-tampered-credential',
      'submission-wrong-path',
      'submission-wrong-format',
      'response-wrong-state',
    ])
    for (const account of accounts) {
      const { status, rules } = await logIn(await startVerifier(), account, faults)
      expect({ status, rules: rules.sort() }).toEqual({
        status: 'FAILED',
        rules: [
          'credential.signature',
          'presentation.audience',
          'response.state',
          'submission.descriptor-map',
        ],
      })
    }
  })
})
