import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import type { OpenPlanOptions } from '#conformance/kit/plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'
import { idpCaller, openIdpPlan } from '#conformance/plans/idp/open-idp-plan.ts'
import { zIdpTarget } from '#conformance/plans/idp/z-target.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { answerEverything } from '#test/support/servers.ts'
import { startLoginServices } from '#testbed/conformance/start-login-services.ts'

const createOptions = (): OpenPlanOptions => ({
  exchanges: createExchangeLog(),
  signal: new AbortController().signal,
})
const client = {
  clientId: 'relying-party',
  clientSecret: 'secret of the client',
  redirectUri: 'http://127.0.0.1:9/relying-party',
}

/** Runs the plan with a kit of its own, whose trust the IDP need not know. */
async function runAgainst(members: object, only?: readonly string[]) {
  const options = createOptions()
  const target = zIdpTarget.parse({
    plan: 'idp',
    name: 'Under test',
    client,
    patience: 0.2,
    kit: { seed: 'another one' },
    ...members,
  })
  const plan = await openIdpPlan(target, options)
  try {
    const all = await loadChecks<IdpContext>('idp')
    const checks = all.filter(({ id }) => only === undefined || only.includes(id))
    return await runPlan(plan, { ...options, checks })
  } finally {
    await plan.close()
  }
}

const idsOf = (runs: readonly CheckRun[], verdict: string) =>
  runs.filter(({ result }) => result.verdict === verdict).map(({ check }) => check.id)

let services: Awaited<ReturnType<typeof startLoginServices>>
let kit: Awaited<ReturnType<typeof openKit>>
beforeAll(async () => {
  kit = await openKit({}, idpCaller, createOptions())
  services = await startLoginServices(kit.trust)
})
afterAll(async () => {
  await services?.close()
  await kit?.close()
})

describe('the plan for IDPs', () => {
  it('credits no refusal to an IDP that takes nobody’s credential', async () => {
    const { idpBaseUrl: issuer, client: own, secondClient } = services
    const runs = await runAgainst({ issuer, client: own, secondClient })
    // Its verifier trusts other registries than those of this kit.
    expect(idsOf(runs, 'failed')).toEqual(['O02'])
    expect(idsOf(runs, 'passed')).toEqual(['O01', 'O16', 'O26', 'O27', 'O28', 'O31', 'O33'])
  })

  it.each([429, 503])('takes HTTP %i for no verdict', async (status) => {
    const runs = await runAgainst({ issuer: await answerEverything(status, { error: 'busy' }) })
    expect(idsOf(runs, 'inconclusive')).toHaveLength(runs.length)
  })

  it.each([
    ['accepts everything', 200],
    ['redirects everybody', 302],
    ['refuses everything', 400],
    ['is closed to everybody', 401],
    ['is not there', 404],
  ])('passes nobody who %s, and fails what is open to everybody alone', async (_what, status) => {
    const runs = await runAgainst({ issuer: await answerEverything(status, {}) })
    expect(idsOf(runs, 'passed')).toEqual([])
    expect(idsOf(runs, 'failed')).toEqual(['O01', 'O26', 'O27'])
    expect(idsOf(runs, 'warned')).toEqual([])
  })

  it('takes an issuer with a slash at its end for the address that it is', async () => {
    const { idpBaseUrl, client: own } = services
    const runs = await runAgainst({ issuer: `${idpBaseUrl}/`, client: own }, ['O01'])
    expect(idsOf(runs, 'passed')).toEqual(['O01'])
  })
})
