import { expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openIssuerSession } from '#conformance/plans/wallet/counterparts/issuer-session.ts'
import { findCredentialNotKept } from '#conformance/plans/wallet/findings/issuance-findings.ts'
import type { VerbOutcome } from '#conformance/targets/adapters/call-verb.ts'
import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'

const now = 1_800_000_000

/** A wallet that gets the credential, then says `outcome` and lists `listed`. */
async function judge(outcome: VerbOutcome, list: (credential: string) => readonly unknown[]) {
  const server = await startKitServer({ exchanges: createExchangeLog(), caller: 'wallet' })
  const world = createTrustWorld({ now })
  const { did: holderDid } = createHolder('of this test')
  const credential = issueCredential(world, { holderDid, now })
  const said = { outcome, reason: 'It says so.', text: '', json: undefined, source: 'test' }
  const context: Partial<WalletContext> = {
    noteChanged() {},
    openIssuer: (behaviour = {}) => ({
      ...openIssuerSession({ server, world, now: () => now, behaviour }),
      delivered: [credential],
    }),
    wallet: {
      by: 'a test',
      can: { list: true, reset: true },
      acceptOffer: async () => said,
      present: async () => said,
      reset: async () => said,
      list: async () => ({ ...said, outcome: 'done', credentials: list(credential) }),
    },
  }
  const finding = await findCredentialNotKept(context as WalletContext, {}, 'of a kind')
  await server.close()
  return finding.kind
}

const jtiOf = (credential: string) => {
  const [, payload = ''] = credential.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti
}

it('is held by a refusal and a list without the credential', async () => {
  expect(await judge('refused', () => [])).toBe('held')
  expect(await judge('refused', () => [{ id: 'urn:uuid:another', credential: 'e30.e30.' }])).toBe(
    'held',
  )
})

it('is broken where the list holds it, whatever the wallet says', async () => {
  expect(await judge('refused', (credential) => [{ credential }])).toBe('broken')
  expect(await judge('refused', (credential) => [{ id: jtiOf(credential) }])).toBe('broken')
  expect(await judge('failed', (credential) => [credential])).toBe('broken')
  expect(await judge('done', () => [])).toBe('broken')
})

it('is not decided by a wallet that failed, ran out of time or was overloaded', async () => {
  for (const outcome of ['failed', 'timed-out', 'overloaded'] as const) {
    expect(await judge(outcome, () => [])).toBe('inconclusive')
  }
})
