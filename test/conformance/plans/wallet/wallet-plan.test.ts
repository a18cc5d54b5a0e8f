import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import type { VerbAnswer, VerbOutcome } from '#conformance/targets/adapters/call-verb.ts'
import type { WalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { runCommand } from '#test/support/processes.ts'
import { certificateFile, findFreePorts, startTlsProxy } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const checks = await loadChecks('wallet')

describe('a wallet that is operated only by commands', () => {
  let folder: string
  let runs: readonly CheckRun[]
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'command-wallet-'))
    const fixture = resolve(import.meta.dirname, '../../fixtures/command-wallet')
    const program = (file: string) => `'${process.execPath}' '${join(fixture, file)}' .`
    const target = join(folder, 'target.json')
    const [port = 0] = await findFreePorts(1)
    proxy = await startTlsProxy(port)
    // JSON is YAML.
    await writeFile(
      target,
      JSON.stringify({
        plan: 'wallet',
        name: 'A wallet behind commands',
        curves: ['secp256k1', 'Ed25519'],
        deferralPatienceSeconds: 10,
        // As with a tunnel, so that http endpoints of an https issuer are tested as well.
        kit: { port, publicUrl: proxy.origin },
        start: {
          command: program('wallet.ts'),
          environment: { NODE_EXTRA_CA_CERTS: certificateFile },
        },
        adapter: {
          type: 'command',
          'accept-offer': `${program('verb.mjs')} accept-offer {link} --pin {pin}`,
          present: `${program('verb.mjs')} present {link}`,
          list: `${program('verb.mjs')} list`,
          reset: `${program('verb.mjs')} reset --curve {curve}`,
        },
      }),
    )
    const exchanges = createExchangeLog()
    const { signal } = new AbortController()
    const plan = await openTargetPlan('wallet', target, { exchanges, signal })
    runs = await runPlan(plan, { checks, exchanges, signal })
    await plan.close()
  }, 120_000)
  afterAll(async () => {
    proxy?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(checks.map(({ id, title }) => [id, title]))('passes %s: %s', (id) => {
    const { finding, result } = runs.find(({ check }) => check.id === id) ?? {}
    const actual = { verdict: result?.verdict, reason: finding?.reason ?? result?.failure?.stack }
    expect(actual).toEqual({ ...actual, verdict: 'passed' })
  })
})

describe('a wallet served over HTTP', () => {
  const root = resolve(import.meta.dirname, '../../../..')
  const page = readFileSync(join(root, 'docs/guides/wallet-over-http.md'), 'utf8')
  const program = `"${process.execPath}" "${join(root, 'testbed/command-line/main.ts')}"`

  it('passes the checks of issuers over HTTP, with the target in the documentation', async () => {
    const folder = createTemporaryFolder()
    const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(page) ?? []
    const target = example
      .replaceAll('4100', String((await findFreePorts(1))[0]))
      .replace('npx lear-testbed', program)
    writeFileSync(join(folder, 'target.yaml'), target)
    const checks = '^W(01|20|21|22|68|70)$'
    const args = ['conformance', 'wallet', checks, '--target', 'target.yaml', '--json']
    const { stdout, stderr } = await runCommand(args, { cwd: folder })
    const { scenarios } = JSON.parse(stdout || '{}')
    expect({ scenarios, stderr }).toHaveProperty('scenarios')
    const verdicts = scenarios.map(({ name, verdict }: Record<string, string>) => [
      name?.slice(0, 3),
      verdict,
    ])
    expect(verdicts).toEqual(['W01', 'W20', 'W21', 'W22', 'W68', 'W70'].map((id) => [id, 'passed']))
  })

  it.each([
    [
      'a TIR without its root',
      ['--did-registry', 'http://127.0.0.1:9', '--tir', 'http://127.0.0.1:9'],
    ],
    ['a root without its TIR', ['--root-did', 'did:org:uc-pre:z1']],
    ['an invalid time', ['--wait', 'long']],
  ])('does not start with %s', async (_what, args) => {
    const { exitCode } = await runCommand(['wallet', 'serve', ...args], {
      cwd: createTemporaryFolder(),
    })
    expect(exitCode).toBe(2)
  })
})

describe('verdicts', () => {
  /** Runs the plan against a wallet that always reports the same outcome. */
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
      target: { name: 'A wallet that only reports' },
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
    // A wallet that rejects everything proves nothing, and rejects valid messages as well.
    ['refused', ['failed', 'inconclusive']],
    ['done', ['inconclusive']],
    ['failed', ['inconclusive']],
    ['timed-out', ['inconclusive']],
    ['overloaded', ['inconclusive']],
  ])(
    'a wallet that reports %s without doing anything passes no check',
    async (outcome, verdicts) => {
      expect(await verdictsOf(outcome)).toEqual(verdicts)
    },
  )
})

describe('controls', () => {
  /** Verdicts of the whole plan for an idle wallet that always reports the same outcome. */
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
      target: { name: 'an idle wallet' },
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

  describe('an idle wallet', () => {
    it('passes no check if it rejects everything, and fails only the plain offers', async () => {
      expect(await judge('refused')).toEqual({ passed: [], broken: ['W01', 'W03'] })
    })

    it('neither passes nor fails a check if it always reports success or failure', async () => {
      for (const outcome of ['done', 'failed'] as const) {
        expect(await judge(outcome), outcome).toEqual({ passed: [], broken: [] })
      }
    })
  })
})
