import { describe, expect, it } from 'vitest'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { makeOffer, startIssuanceSystem } from '#test/support/issuance.ts'
import { type RunningVerifier, startVerifier } from '#test/support/verifier.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import {
  findFaults,
  issuanceFaults,
  presentationFaults,
} from '#wallet-emulator/faults/find-faults.ts'
import type { FaultNeed, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

const credentialTypes = [{ vcType: 'OrgPortalLearCredential' }, { vcType: 'AnotherCredential' }]
const system = await startIssuanceSystem({
  connector: { credentialTypes, cNonceLifetimeSeconds: 600 },
})

const curves = [
  { curve: 'secp256k1', algorithm: 'ES256K' },
  { curve: 'Ed25519', algorithm: 'EdDSA' },
] as const
type Curve = (typeof curves)[number]['curve']

/** An offer with what a fault needs, and a wallet to accept it. */
async function prepare(
  curve: Curve,
  needs: readonly FaultNeed[] = [],
  faults: readonly WalletFault[] = [],
) {
  const pending: WalletEvent[] = []
  const { offerUri, pin } = await makeOffer(system, {
    ...(needs.includes('pin') && { txCode: { length: 6, inputMode: 'numeric' as const } }),
    ...(needs.includes('deferral') && { deferredSeconds: 30 }),
  })
  const wait = async (milliseconds: number) => system.runtime.advance(milliseconds / 1000)
  const wallet = createWallet({
    account: createAccount({ curve }),
    http: { allowPrivateAddresses: true },
    now: system.runtime.clock.seconds,
    wait,
    faults,
    onEvent(event) {
      if (event.type !== 'deferred-pending') return
      pending.push(event)
      // A wallet that polls without a pause must wait, so the clock advances here.
      if (event.attempt === 3) system.runtime.advance(30)
    },
  })
  const options: AcceptOfferOptions = {
    getPin: () => pin,
    deferral: { intervalMilliseconds: 10_000 },
  }
  return { wallet, pending, accept: () => acceptOffer(wallet, offerUri, options) }
}

describe.each(curves)('a wallet with $curve at our issuer', ({ curve, algorithm }) => {
  const fitting = issuanceFaults
    .filter(({ algorithms }) => !algorithms || algorithms.some((name) => name === algorithm))
    .map((fault) => ({ ...fault, ...brokenBy(fault) }))
  const refused = fitting.filter(({ expected }) => expected.at !== 'nowhere')
  const accepted = fitting.filter(({ expected }) => expected.at === 'nowhere')

  it.each([[[]], [['pin']], [['deferral']]] as FaultNeed[][][])(
    'gets a credential without a fault (%s)',
    async (needs) => {
      const { wallet, accept } = await prepare(curve, needs)
      expect(await accept()).toHaveLength(1)
      expect(await wallet.store.listCredentials()).toHaveLength(1)
    },
  )

  it.each(refused)('$check is rejected for $name', async (fault) => {
    const { expected } = fault
    const { wallet, accept } = await prepare(curve, fault.needs, [fault])
    const code = expected.at === 'token' ? 'token_refused' : 'credential_refused'
    const { at: _, rule: __, ...answer } = { rule: '', ...expected }
    await expect(accept()).rejects.toMatchObject({
      code,
      extra: { answer: { ...answer, url: expect.stringMatching(endpointOf(expected.at)) } },
    })
    expect(await wallet.store.listCredentials()).toEqual([])
  })

  it.each(accepted)('$check is accepted with $name', async (fault) => {
    const { accept, pending } = await prepare(curve, fault.needs, [fault])
    expect(await accept()).toHaveLength(1)
    expect(pending).toHaveLength(fault.needs?.includes('deferral') ? 3 : 0)
  })
})

function endpointOf(at: string): RegExp {
  const path = at === 'deferred' ? 'deferred_credential' : at
  return new RegExp(`^http://[^/]+/${path}(\\?.*)?$`)
}

const redirectUri = 'http://127.0.0.1:4006/done'

/** The result of a session that the account's wallet answered with these faults. */
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

  it.each(cases)('$check has the expected outcome with $name', async (fault) => {
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
