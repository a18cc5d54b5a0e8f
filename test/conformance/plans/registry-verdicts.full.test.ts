import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { CheckRun } from '#conformance/kit/run-plan.ts'
import { openTirPlan } from '#conformance/plans/tir/open-tir-plan.ts'
import { membersOf } from '#core/json/json-object.ts'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { callRpc } from '#test/support/chain.ts'
import { runRegistryPlan, serveVerbs } from '#test/support/plans.ts'
import {
  answerEverything,
  startAnsweringServer,
  startFilter,
  startRewriter,
} from '#test/support/servers.ts'
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

/** A registry that simulates each transaction that it builds, and rejects what would revert. */
const startSimulating = (
  baseUrl: string,
  chainRpcUrl: string,
  reject: (id: unknown) => readonly [number, object],
) =>
  startRewriter(baseUrl, async (_path, status, json) => {
    const { id, result = json } = membersOf(json)
    const { from, to, data } = membersOf(result)
    if (data === undefined) return [status, json]
    const { error } = await callRpc(chainRpcUrl, 'eth_estimateGas', { from, to, data })
    return error ? reject(id) : [status, json]
  })

describe('the plan for DID registries', () => {
  it('says what is missing in a target, and runs the other checks', async () => {
    const { didRegistryBaseUrl } = registries
    // Checks that only read need a DID to read.
    const yaml = withKeys(didRegistryBaseUrl)
    await runRegistryPlan({ plan, yaml, environment: environment(), only: ['D01'] })
    const runs = await runRegistryPlan({ plan, yaml: withoutKeys(didRegistryBaseUrl) })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
    const undecided = runs.filter(({ result }) => result.verdict === 'inconclusive')
    for (const { check, finding } of undecided) {
      expect(check.needs?.length, check.id).toBeGreaterThan(0)
      expect(finding?.reason).toMatch(
        /: add (onboardingNode\.privateKey|adapter\.(hold-mining|stop-chain)|chain\.rpcUrl)/,
      )
    }
    expect(idsOf(runs, 'passed')).toEqual(expect.arrayContaining(['D36', 'D37', 'D54']))
  })

  it('decides everything about a registry that builds only for registered DIDs', async () => {
    const { didRegistryBaseUrl } = registries
    const isUnknown = async (body: string) => {
      const [, did] = /"did":"(did:[\w:-]+)"/.exec(body) ?? []
      if (did === undefined) return false
      return (await fetch(`${didRegistryBaseUrl}/api/v1/identifiers/${did}`)).status === 404
    }
    const strict = await startFilter(didRegistryBaseUrl, async (path, body) => {
      const builds = /\/contract\/(?!insertFirst)/.test(path)
      return builds && (await isUnknown(body))
        ? { error: 'not_found', error_description: 'Not registered' }
        : undefined
    })
    const runs = await runRegistryPlan({ plan, yaml: withKeys(strict), environment: environment() })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
    for (const { finding } of runs.filter(({ result }) => result.verdict === 'inconclusive')) {
      expect(finding?.reason).toMatch(/: add (adapter\.(hold-mining|stop-chain)|chain\.rpcUrl)/)
    }
  })

  it('accepts a registry that builds nothing that the chain would revert', async () => {
    const { didRegistryBaseUrl, chainRpcUrl } = registries
    const simulating = await startSimulating(didRegistryBaseUrl, chainRpcUrl, () => [
      400,
      { error: 'validation_error', error_description: 'execution reverted' },
    ])
    const yaml = `${withKeys(simulating)}chain:\n  rpcUrl: ${chainRpcUrl}\n`
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
  })

  it('reads at the chain node what a registry that never has a receipt does not answer', async () => {
    const { didRegistryBaseUrl, chainRpcUrl } = registries
    const slow = await startRewriter(didRegistryBaseUrl, (path, status, json) =>
      path.endsWith('/send') && status === 200
        ? [206, { ...(json as object), receipt: null }]
        : [status, json],
    )
    const only = ['D66', 'D67', 'D117', 'D139']
    const run = (yaml: string) => runRegistryPlan({ plan, yaml, environment: environment(), only })
    const chain = `chain:\n  rpcUrl: ${chainRpcUrl}\n`
    expect(idsOf(await run(withKeys(slow) + chain), 'passed')).toEqual(only)
    expect(idsOf(await run(withKeys(slow)), 'inconclusive')).toEqual(only)
  })

  it.each([
    [20, 'passed'],
    [5, 'failed'],
  ])('checks a registry that lowers large page sizes to %i', async (most, verdict) => {
    const lowering = await startRewriter(registries.didRegistryBaseUrl, (path, status, json) => {
      const asked = Number(new URL(path, 'http://127.0.0.1').searchParams.get('pageSize') ?? 0)
      if (asked <= 10 || status !== 200) return [status, json]
      const page = membersOf(json)
      const items = (page.items as readonly unknown[]).slice(0, most)
      return [status, { ...page, pageSize: most, howMany: items.length, items }]
    })
    const only = ['D126']
    const yaml = withKeys(lowering)
    const runs = await runRegistryPlan({ plan, yaml, environment: environment(), only })
    expect(idsOf(runs, verdict)).toEqual(only)
  })

  it('warns of a registry that parses page numbers leniently', async () => {
    const lenient = await startRewriter(registries.didRegistryBaseUrl, (path, status, json) =>
      /(page|pageSize)=(|1_0|1e0|%D9%A1)$/.test(path) ? [200, { items: [] }] : [status, json],
    )
    const [run] = await runRegistryPlan({
      plan,
      yaml: withKeys(lenient),
      environment: environment(),
      only: ['D56'],
    })
    expect(run?.result.verdict).toBe('warned')
    expect(run?.finding?.also).toHaveLength(4)
  })

  it('warns of each similar DID that a registry resolves', async () => {
    const known = new Map<string, unknown>()
    const careless = await startRewriter(registries.didRegistryBaseUrl, (path, status, json) => {
      const id = decodeURIComponent(path).split(':').at(-1)?.toLowerCase() ?? ''
      if (status === 200) known.set(id, json)
      return known.has(id) ? [200, known.get(id)] : [status, json]
    })
    const [run] = await runRegistryPlan({
      plan,
      yaml: withKeys(careless),
      environment: environment(),
      only: ['D46'],
    })
    expect(run?.result.verdict).toBe('warned')
    expect(run?.finding?.also).toMatchObject([{ level: 'practice' }])
  })

  it('continues if a verb fails', async () => {
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

  it.each([429, 500, 503, 504])('does not treat HTTP %i as a verdict', async (status) => {
    const yaml = withKeys(await answerEverything(status, { error: 'busy' }))
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    // A system that fails at a valid request without any premise, twice, does not accept it.
    const decided = runs.filter(({ result }) => result.verdict !== 'inconclusive')
    const crashed = status === 500 ? ['D01', 'D54', 'D74'] : []
    expect(decided.map(({ check }) => check.id)).toEqual(crashed)
  })

  it('does not pass a registry that has the same answer to everything', async () => {
    for (const status of [200, 302, 400, 401, 404]) {
      const yaml = withKeys(await answerEverything(status, {}))
      const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
      expect(idsOf(runs, 'passed'), `HTTP ${status}`).toEqual([])
      // What it can be blamed for shows without knowing how it is when it does as it should.
      const blamed = idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))
      const wronglyAccepted = ['D82', 'D83', 'D84', 'D85', 'D86', 'D87', 'D88', 'D133', 'D147']
      const open = ['D01', 'D44', 'D45', 'D46', 'D54', 'D74']
      expect(status === 200 ? [...open, ...wronglyAccepted] : open, `HTTP ${status}`).toEqual(
        expect.arrayContaining(blamed),
      )
    }
  })

  it('fails and counts no rejection for a registry that does not register the kit’s DIDs', async () => {
    const unauthorized = { ONBOARDING_NODE_KEY: `0x${randomBytes(32).toString('hex')}` }
    const yaml = withKeys(registries.didRegistryBaseUrl)
    const runs = await runRegistryPlan({ plan, yaml, environment: unauthorized })
    expect(idsOf(runs, 'failed')).toEqual([])
    expect(idsOf(runs, 'warned')).toEqual(['D01'])
    const needsOne = ({ check }: CheckRun) => check.needs?.includes('onboarding-node')
    expect(idsOf(runs.filter(needsOne), 'passed')).toEqual([])
  })

  it('does not report an invalid key', async () => {
    const yaml = withKeys(registries.didRegistryBaseUrl)
    const key = 'not-a-key-of-the-curve'
    const opening = runRegistryPlan({ plan, yaml, environment: { ONBOARDING_NODE_KEY: key } })
    const error = await opening.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_target' })
    expect(JSON.stringify(error)).not.toContain(key)
    expect(String(error)).not.toContain(key)
  })
})

describe('the plan for TIRs', () => {
  let registries: Awaited<ReturnType<typeof startRegistries>>
  beforeAll(async () => {
    registries = await startRegistries()
  })
  afterAll(() => registries?.close())

  const plan = 'tir'
  const { signal } = new AbortController()
  const http = createHttpClient({ caller: 'test', scenarioId: () => 'test', signal })
  const checkBase = {
    exchanges: createExchangeLog(),
    proven: new Set<string>(),
    httpAs: () => http,
    now: () => Math.floor(Date.now() / 1000),
    signal,
  }
  const withoutKeys = (baseUrl: string) => `plan: ${plan}
name: Under test
baseUrl: ${baseUrl}
didRegistryBaseUrl: ${registries.didRegistryBaseUrl}
apiKey: $TIR_API_KEY
chain:
  rpcUrl: ${registries.chainRpcUrl}
`
  const withKeys = (baseUrl: string) => `${withoutKeys(baseUrl)}onboardingNode:
  privateKey: $ONBOARDING_NODE_KEY
operator:
  privateKey: $OPERATOR_KEY
`
  const environment = () => ({
    TIR_API_KEY: registries.tirApiKey,
    ONBOARDING_NODE_KEY: registries.onboardingNode.privateKey,
    OPERATOR_KEY: registries.operator.privateKey,
  })
  const idsOf = (runs: readonly CheckRun[], verdict: string) =>
    runs.filter(({ result }) => result.verdict === verdict).map(({ check }) => check.id)

  it('says what is missing in a target, and runs the other checks', async () => {
    const yaml = withoutKeys(registries.tirBaseUrl)
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
    const undecided = runs.filter(({ result }) => result.verdict === 'inconclusive')
    for (const { check, finding } of undecided) {
      expect(check.needs?.length, check.id).toBeGreaterThan(0)
      expect(finding?.reason).toMatch(
        /: add (accreditor|operator\.privateKey|adapter\.stop-(chain|api-keys))/,
      )
    }
    expect(idsOf(runs, 'passed')).toEqual(expect.arrayContaining(['T01', 'T28', 'T39', 'T60']))
  })

  it('accepts any HTTP status with the error of a JSON-RPC answer', async () => {
    const { tirBaseUrl } = registries
    for (const status of [400, 422, 500]) {
      const other = await startRewriter(tirBaseUrl.replace(/\/[^/]+$/, ''), (_path, given, json) =>
        'error' in membersOf(json) ? [status, json] : [given, json],
      )
      const yaml = withKeys(`${other}/trusted-issuers-registry`)
      const runs = await runRegistryPlan({ plan, yaml, environment: environment(), only: ['T34'] })
      expect(idsOf(runs, 'passed'), `HTTP ${status}`).toEqual(['T34'])
    }
  })

  it.each([
    ['no attribute', [404, {}], ['T65']],
    ['null as body', [200, { body: null }], []],
    ['no body', [200, { body: undefined }], []],
  ] as const)('accepts a TIR that shows %s before there is data', async (_what, shown, warned) => {
    const { tirBaseUrl } = registries
    const [status, change] = shown
    const other = await startRewriter(tirBaseUrl.replace(/\/[^/]+$/, ''), (_path, given, json) => {
      const attribute = membersOf(membersOf(json).attribute)
      if (attribute.body !== '') return [given, json]
      return [status, { ...membersOf(json), attribute: { ...attribute, ...change } }]
    })
    const yaml = withKeys(`${other}/trusted-issuers-registry`)
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual(warned)
    for (const { finding } of runs.filter(({ result }) => result.verdict === 'inconclusive')) {
      expect(finding?.reason).toMatch(/: add adapter\.(hold-mining|stop-chain|stop-api-keys)/)
    }
  })

  it('accepts a TIR that builds nothing that the chain would revert', async () => {
    const { tirBaseUrl, chainRpcUrl } = registries
    const error = { code: -32000, message: 'execution reverted' }
    const simulating = await startSimulating(
      tirBaseUrl.replace(/\/[^/]+$/, ''),
      chainRpcUrl,
      (id) => [200, { jsonrpc: '2.0', id, error }],
    )
    const baseUrl = `${simulating}/trusted-issuers-registry`
    const runs = await runRegistryPlan({
      plan,
      yaml: withKeys(baseUrl),
      environment: environment(),
    })
    expect(idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))).toEqual([])
    for (const { finding } of runs.filter(({ result }) => result.verdict === 'inconclusive')) {
      expect(finding?.reason).toMatch(/: add adapter\.(hold-mining|stop-chain|stop-api-keys)/)
    }
    const withoutTao = { plan, yaml: withoutKeys(baseUrl), environment: environment() } as const
    const undecided = await runRegistryPlan({ ...withoutTao, only: ['T01', 'T34'] })
    for (const { finding } of undecided) expect(finding?.reason).toMatch(/: add accreditor/)
  })

  it('builds a new transaction after an accepted one', async () => {
    const { origin } = new URL(registries.tirBaseUrl)
    const trimming = await startAnsweringServer(async ({ method, path, headers, body }) => {
      const { status, ...answer } = await http.request(`${origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': String(headers['x-api-key']) },
        ...(body !== '' && { body: body.replaceAll(/(?<=") (?=0x)|\\n(?=")/g, '') }),
      })
      return { status, headers: { 'content-type': answer.contentType }, body: answer.text }
    })
    const yaml = withKeys(`${trimming.url}/trusted-issuers-registry`)
    const [run] = await runRegistryPlan({ plan, yaml, environment: environment(), only: ['T92'] })
    const { also = [], ...worst } = run?.finding ?? {}
    // Eight numbers with a space before them, or a line break after them.
    expect(also).toHaveLength(15)
    const actual = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    for (const each of [worst, ...also]) expect(each).toMatchObject({ actual })
  })

  it('acts for a TAO of the target without a key of the operator', async () => {
    const { tirBaseUrl: baseUrl, chainRpcUrl, didRegistryBaseUrl } = registries
    const open = await openTirPlan(
      {
        ...registries,
        name: 'own',
        baseUrl,
        didRegistryBaseUrl,
        apiKey: registries.tirApiKey,
        chain: { rpcUrl: chainRpcUrl },
      },
      checkBase,
    )
    const context = await open.createContext(checkBase)
    const { did, attributeId, signer } = await context.accreditor()
    const runs = await runRegistryPlan({
      plan,
      yaml: `${withoutKeys(baseUrl)}accreditor:
  did: ${did}
  attributeId: ${attributeId}
  privateKey: $TAO_KEY
`,
      environment: { ...environment(), TAO_KEY: signer.privateKey },
      only: ['T02', 'T05', 'T07', 'T12'],
    })
    expect(idsOf(runs, 'passed')).toEqual(['T02', 'T07', 'T12'])
    expect(idsOf(runs, 'inconclusive')).toEqual(['T05'])
  })

  it.each([429, 503, 504])('does not treat HTTP %i as a verdict', async (status) => {
    const yaml = withKeys(await answerEverything(status, { error: 'busy' }))
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    expect(idsOf(runs, 'inconclusive')).toHaveLength(runs.length)
  })

  it.each([
    ['null', null],
    ['a list of null and a number', [null, 1]],
  ])('has no internal error if the answer to everything is %s', async (_what, body) => {
    const yaml = withKeys(await answerEverything(200, body))
    const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
    const failed = runs.filter(({ finding }) => finding === undefined)
    expect(failed.map(({ check }) => check.id)).toEqual([])
  })

  it('does not treat an internal error as a verdict, unless the chain is unavailable', async () => {
    const error = { code: -32603, message: 'Internal error.' }
    const yaml = withKeys(await answerEverything(200, { jsonrpc: '2.0', id: 1, error }))
    const only = ['T07', 'T22', 'T28', 'T39', 'T44', 'T52']
    const runs = await runRegistryPlan({ plan, yaml, environment: environment(), only })
    expect(idsOf(runs, 'passed').concat(idsOf(runs, 'failed'))).toEqual([])
  })

  it('does not pass a registry that accepts everything', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: `0x${'1'.repeat(64)}` }
    const yaml = withKeys(await answerEverything(200, answer))
    const negatives = ['T21', 'T22', 'T23', 'T24', 'T28', 'T39', 'T40', 'T59', 'T60', 'T62']
    const runs = await runRegistryPlan({ plan, yaml, environment: environment(), only: negatives })
    expect(idsOf(runs, 'passed')).toEqual([])
    expect(idsOf(runs, 'failed')).toContain('T39')
  })

  it('does not pass a registry that has the same answer to everything', async () => {
    const answers = [200, 302, 400, 401, 404].map((status) => [status, {}] as const)
    for (const [status, body] of [...answers, [404, undefined] as const]) {
      const accreditor = `accreditor:
  did: did:org:uc-pre:zNobody
  attributeId: '${'6f'.repeat(32)}'
  privateKey: $OPERATOR_KEY
`
      const yaml = withoutKeys(await answerEverything(status, body)) + accreditor
      const runs = await runRegistryPlan({ plan, yaml, environment: environment() })
      expect(idsOf(runs, 'passed'), `HTTP ${status}`).toEqual([])
      // What it can be blamed for shows without knowing how it is when it does as it should.
      const blamed = idsOf(runs, 'failed').concat(idsOf(runs, 'warned'))
      expect(['T01', 'T34', 'T41', 'T42', 'T43', 'T60'], `HTTP ${status}`).toEqual(
        expect.arrayContaining(blamed),
      )
    }
  })
})
