import { expect, it } from 'vitest'
import type { VerbAnswer, VerbOutcome } from '#scenarios/conformance/adapters/verb-answer.ts'
import { createExchangeLog } from '#scenarios/conformance/evidence/create-exchange-log.ts'
import { loadChecks } from '#scenarios/conformance/load-checks.ts'
import type { WalletContext } from '#scenarios/conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#scenarios/conformance/plans/wallet/open-wallet-plan.ts'
import { runPlan } from '#scenarios/conformance/run-plan.ts'
import { openTrustWorld } from '#scenarios/conformance/world/open-trust-world.ts'
import { startKitServer } from '#scenarios/conformance/world/start-kit-server.ts'

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
