import { expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import type { VerbAnswer, VerbOutcome } from '#conformance/targets/adapters/call-verb.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'

/** Runs the plan against a wallet that only ever says one thing. */
async function verdictsOf(outcome: VerbOutcome) {
  const exchanges = createExchangeLog()
  const server = await startKitServer({
    exchanges,
    caller: 'wallet under test',
    publicUrl: 'https://kit.example',
  })
  const trust = openTrustWorld(server, { seed: 'verdicts', now: Math.floor(Date.now() / 1000) })
  const say = async (): Promise<VerbAnswer> => ({
    outcome,
    reason: 'It says so.',
    text: 'expired',
    json: undefined,
    source: 'test',
  })
  const plan = openWalletPlan({
    server,
    trust,
    target: { name: 'A wallet that only talks' },
    curves: ['secp256k1', 'Ed25519'],
    deferralPatienceSeconds: 1,
    createDriver: () => ({
      by: 'a test',
      can: { list: true, reset: true },
      acceptOffer: say,
      present: say,
      reset: say,
      list: async () => ({ ...(await say()), credentials: [] }),
    }),
  })
  const checks = await loadChecks<WalletContext>('wallet')
  const { signal } = new AbortController()
  const runs = await runPlan(plan, { checks, exchanges, signal })
  await plan.close()
  return [...new Set(runs.map(({ result }) => result.verdict))].sort()
}

it.each<[VerbOutcome, string[]]>([
  // Who refuses everybody has refused nothing in particular, but what is good as well.
  ['refused', ['failed', 'inconclusive']],
  ['done', ['inconclusive']],
  ['failed', ['inconclusive']],
  ['timed-out', ['inconclusive']],
  ['overloaded', ['inconclusive']],
])('a wallet that says %s and does nothing passes nothing', async (outcome, verdicts) => {
  expect(await verdictsOf(outcome)).toEqual(verdicts)
})
