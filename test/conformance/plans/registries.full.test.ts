import { afterAll, beforeAll, expect, it } from 'vitest'
import { runRegistryPlan, serveVerbs } from '#test/support/plans.ts'
import { startRegistries } from '#testbed/conformance/registries.ts'

let registries: Awaited<ReturnType<typeof startRegistries>>
beforeAll(async () => {
  registries = await startRegistries()
})
afterAll(() => registries?.close())

it.each(['did-registry', 'tir'] as const)(
  'the plan %s passes the testbed’s registry, from a target file whose verbs act on its chain',
  async (plan) => {
    const { mining, setChainOutage, setApiKeysOutage, tirApiKey, onboardingNode, operator } =
      registries
    const verbs = await serveVerbs({
      ...mining,
      stop: () => setChainOutage(true),
      start: () => setChainOutage(false),
      'stop-keys': () => setApiKeysOutage(true),
      'start-keys': () => setApiKeysOutage(false),
    })
    const ofTir = `baseUrl: ${registries.tirBaseUrl}
didRegistryBaseUrl: ${registries.didRegistryBaseUrl}
apiKey: $TIR_API_KEY
operator: { privateKey: $OPERATOR_KEY }
`
    const ofKeys = `  stop-api-keys: { url: "${verbs}/stop-keys", method: POST }
  start-api-keys: { url: "${verbs}/start-keys", method: POST }
`
    const isTir = plan === 'tir'
    const runs = await runRegistryPlan({
      plan,
      yaml: `plan: ${plan}
name: Under test
${isTir ? ofTir : `baseUrl: ${registries.didRegistryBaseUrl}\n`}onboardingNode: { privateKey: $ONBOARDING_NODE_KEY }
chain: { rpcUrl: "${registries.chainRpcUrl}" }
adapter:
  hold-mining: { url: "${verbs}/hold", method: POST }
  mine: { url: "${verbs}/mine", method: POST }
  stop-chain: { url: "${verbs}/stop", method: POST }
  start-chain: { url: "${verbs}/start", method: POST }
${isTir ? ofKeys : ''}`,
      environment: {
        TIR_API_KEY: tirApiKey,
        ONBOARDING_NODE_KEY: onboardingNode.privateKey,
        OPERATOR_KEY: operator.privateKey,
      },
    })
    const others = runs.filter(({ result }) => result.verdict !== 'passed')
    expect(others.map(({ check, finding }) => [check.id, finding])).toEqual([])
    expect(runs.length).toBeGreaterThan(75)
    const evidence = JSON.stringify(runs.map(({ result }) => result))
    for (const secret of [tirApiKey, onboardingNode.privateKey, operator.privateKey]) {
      expect(evidence).not.toContain(secret.replace(/^0x/, ''))
    }
  },
)
