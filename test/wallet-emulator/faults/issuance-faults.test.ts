import { describe, expect, it } from 'vitest'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { makeOffer, startIssuanceSystem } from '#test/support/issuance.ts'
import { type AcceptOfferOptions, acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import { issuanceFaults } from '#wallet-emulator/faults/all-faults.ts'
import type { FaultNeed, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

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
      // Whoever asks without a pause is told to wait; time goes on all the same.
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

  it.each(refused)('$check is refused for $name', async (fault) => {
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
