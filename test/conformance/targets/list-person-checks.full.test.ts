import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckBase } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { type LoadedCheck, loadChecks } from '#conformance/kit/load-checks.ts'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import { openVerifierPlan } from '#conformance/plans/verifier/open-verifier-plan.ts'
import { openWalletTarget } from '#conformance/plans/wallet/open-wallet-plan.ts'
import { listPersonChecks } from '#conformance/targets/list-person-checks.ts'
import { startPretendedVerifier } from '#test/support/verifier-counterparts.ts'

/** Runs each check while a tester declines every task; returns the ids of those that asked. */
async function listAsking<Context extends CheckBase>(
  checks: readonly LoadedCheck<Context>[],
  open: (options: OpenPlanOptions) => Promise<OpenPlan<Context>>,
): Promise<string[]> {
  const asking = new Set<string>()
  let current = ''
  const options = { exchanges: createExchangeLog(), signal: new AbortController().signal }
  const plan = await open({
    ...options,
    askPerson: async () => {
      asking.add(current)
      return { did: 'refused', note: '' }
    },
  })
  onTestFinished(plan.close)
  for (const check of checks) {
    current = check.id
    await runPlan(plan, { checks: [check], once: true, ...options })
  }
  return [...asking]
}

describe('the checks for which a person must act', () => {
  const wallet = { plan: 'wallet', name: 'a wallet', adapter: { type: 'person' } } as const

  it.each([
    ['that the target makes possible', wallet],
    [
      'with a target that meets every need',
      { ...wallet, kit: { publicUrl: 'https://kit.example' }, deferralPatienceSeconds: 5 },
    ],
  ])('are the checks of a wallet that ask one, %s', async (_, target) => {
    const checks = await loadChecks<never>('wallet')
    const asking = await listAsking<never>(
      checks,
      (options) => openWalletTarget(target, options) as Promise<OpenPlan<never>>,
    )
    expect(asking.length).toBeGreaterThan(80)
    expect(asking).toEqual(listPersonChecks('wallet', target, checks))
  })

  it('are the checks of a verifier that ask one', async () => {
    const { baseUrl, stop } = await startPretendedVerifier({})
    onTestFinished(stop)
    const target = {
      plan: 'verifier',
      name: 'a verifier',
      request: { call: { url: `${baseUrl}/sessions` }, link: '$.link', session: '$.id' },
      verdict: { person: true, withinSeconds: 0.1 },
    } as const
    const checks = await loadChecks<never>('verifier')
    const asking = await listAsking<never>(
      checks,
      (options) => openVerifierPlan(target, options) as Promise<OpenPlan<never>>,
    )
    expect(asking.length).toBeGreaterThan(80)
    expect(asking).toEqual(listPersonChecks('verifier', target, checks))
  })

  it.each([
    ['wallet', { adapter: { type: 'http' } }],
    ['wallet', {}],
    ['verifier', { verdict: { poll: {} } }],
    ['tir', { adapter: { type: 'person' }, verdict: { person: true } }],
    ['wallet', 'plain words'],
  ] as const)('are absent from the plan %s with the target %j', async (plan, target) => {
    expect(listPersonChecks(plan, target, await loadChecks(plan))).toEqual([])
  })
})
