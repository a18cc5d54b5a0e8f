import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckRun } from '#conformance/kit/run-plan.ts'
import { runRegistryPlan, serveVerbs } from '#test/support/plans.ts'
import { answerEverything } from '#test/support/servers.ts'
import { startRegistries } from '#testbed/conformance/registries.ts'

let registries: Awaited<ReturnType<typeof startRegistries>>
beforeAll(async () => {
  registries = await startRegistries()
})
afterAll(() => registries?.close())

const plan = 'did-registry'
const withoutKeys = (baseUrl: string) => `plan: ${plan}\nname: Under test\nbaseUrl: ${baseUrl}\n`
const withKeys = (baseUrl: string) =>
  `${withoutKeys(baseUrl)}onboardingNode:\n  privateKey: $ONBOARDING_NODE_KEY\n`
const environment = () => ({ ONBOARDING_NODE_KEY: registries.onboardingNode.privateKey })
const idsOf = (runs: readonly CheckRun[], verdict: string) =>
  runs.filter(({ result }) => result.verdict === verdict).map(({ check }) => check.id)

describe('the plan for DID registries', () => {
  it('passes the own registry from a target file, whose verbs hold its chain', async () => {
    const { hold, mine } = registries.mining
    const verbs = await serveVerbs({ hold, mine })
    const runs = await runRegistryPlan({
      plan,
      yaml: `${withKeys(registries.didRegistryBaseUrl)}adapter:
  hold-mining: { url: "${verbs}/hold", method: POST }
  mine: { url: "${verbs}/mine", method: POST }
`,
      environment: environment(),
    })
    const others = runs.filter(({ result }) => result.verdict !== 'passed')
    expect(others.map(({ check, finding }) => [check.id, finding])).toEqual([])
    expect(runs.length).toBeGreaterThan(75)
    const evidence = JSON.stringify(runs.map(({ result }) => result))
    expect(evidence).not.toContain(registries.onboardingNode.privateKey.slice(2))
  })

  it('says what to add to a target where something is missing, and decides the rest', async () => {
    const yaml = withoutKeys(registries.didRegistryBaseUrl)
    const runs = await runRegistryPlan({ plan, yaml })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
    const undecided = runs.filter(({ result }) => result.verdict === 'inconclusive')
    for (const { check, finding } of undecided) {
      expect(check.needs?.length, check.id).toBeGreaterThan(0)
      expect(finding?.reason).toMatch(/: add (onboardingNode\.privateKey|adapter\.hold-mining)/)
    }
    expect(idsOf(runs, 'passed')).toEqual(expect.arrayContaining(['D36', 'D37', 'D54']))
  })

  it('goes on where a verb fails', async () => {
    const { hold, mine } = registries.mining
    const fail = () => Promise.reject(new Error('no'))
    const verbs = await serveVerbs({ hold, fail })
    const adapter = (verb: string, other: string) => `adapter:
  hold-mining: { url: "${verbs}/${verb}", method: POST }
  mine: { url: "${verbs}/${other}", method: POST }
`
    const run = async (verb: string, other: string, only: string) => {
      const yaml = withKeys(registries.didRegistryBaseUrl) + adapter(verb, other)
      return runRegistryPlan({ plan, yaml, environment: environment(), only: [only] })
    }
    expect(idsOf(await run('fail', 'fail', 'D20'), 'inconclusive')).toEqual(['D20'])
    expect(idsOf(await run('hold', 'fail', 'D20'), 'passed')).toEqual(['D20'])
    await mine()
  })

  it.each([429, 500, 503, 504])('takes HTTP %i for no verdict', async (status) => {
    const yaml = withKeys(await answerEverything(status, { error: 'busy' }))
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    expect(idsOf(runs, 'inconclusive')).toHaveLength(runs.length)
  })

  it('passes nobody who has the same answer to everything', async () => {
    for (const status of [200, 302, 400, 401, 404]) {
      const yaml = withKeys(await answerEverything(status, {}))
      const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
      expect(idsOf(runs, 'passed'), `HTTP ${status}`).toEqual([])
      // What it can be blamed for shows without knowing how it is when it does as it should.
      const blamed = idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))
      expect(['D01', 'D44', 'D45', 'D46', 'D54', 'D74'], `HTTP ${status}`).toEqual(
        expect.arrayContaining(blamed),
      )
    }
  })

  it('fails and credits nothing for a registry that registers no DID as the kit makes them', async () => {
    const stranger = { ONBOARDING_NODE_KEY: `0x${randomBytes(32).toString('hex')}` }
    const yaml = withKeys(registries.didRegistryBaseUrl)
    const runs = await runRegistryPlan({ plan, yaml, environment: stranger })
    expect(idsOf(runs, 'failed')).toEqual([])
    expect(idsOf(runs, 'warned')).toEqual(['D01'])
    const needsOne = ({ check }: CheckRun) => check.needs?.includes('onboarding-node')
    expect(idsOf(runs.filter(needsOne), 'passed')).toEqual([])
  })

  it('does not tell a key that is none', async () => {
    const yaml = withKeys(registries.didRegistryBaseUrl)
    const key = 'not-a-key-of-the-curve'
    const opening = runRegistryPlan({ plan, yaml, environment: { ONBOARDING_NODE_KEY: key } })
    const error = await opening.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_target' })
    expect(JSON.stringify(error)).not.toContain(key)
    expect(String(error)).not.toContain(key)
  })
})
