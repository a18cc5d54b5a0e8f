import { describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import type { VerbAnswer } from '#conformance/targets/adapters/call-verb.ts'
import type { WalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'

/** Verdicts of the whole plan for a wallet that does nothing and always says the same. */
async function judge(outcome: VerbAnswer['outcome']) {
  const exchanges = createExchangeLog()
  const server = await startKitServer({ exchanges, caller: 'wallet under test' })
  const trust = openTrustWorld(server, { seed: 'x', now: Math.floor(Date.now() / 1000) })
  const answer = { outcome, reason: 'It says so.', text: '', json: [], source: 'itself' }
  const says = async () => answer
  const wallet: WalletDriver = {
    by: 'nothing',
    can: { list: true, reset: true },
    acceptOffer: says,
    present: says,
    reset: says,
    list: async () => ({ ...answer, outcome: 'done', credentials: [] }),
  }
  const plan = openWalletPlan({
    server,
    trust,
    target: { name: 'a wallet that does nothing' },
    createDriver: () => wallet,
  })
  onTestFinished(() => plan.close())
  const checks = await loadChecks<WalletContext>('wallet')
  const { signal } = new AbortController()
  const runs = await runPlan(plan, { checks, exchanges, signal })
  const withVerdict = (...wanted: readonly string[]) =>
    runs.filter(({ result }) => wanted.includes(result.verdict)).map(({ check }) => check.id)
  return { passed: withVerdict('passed'), broken: withVerdict('failed', 'warned') }
}

describe('a wallet that does nothing', () => {
  it('passes nothing by refusing everything, and fails only at taking a plain offer', async () => {
    expect(await judge('refused')).toEqual({ passed: [], broken: ['W01', 'W03'] })
  })

  it('passes and fails nothing by saying that it did everything, or that nothing works', async () => {
    for (const outcome of ['done', 'failed'] as const) {
      expect(await judge(outcome), outcome).toEqual({ passed: [], broken: [] })
    }
  })
})
