import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openWalletPlan } from '#conformance/plans/wallet/open-wallet-plan.ts'
import type { VerbAnswer, VerbOutcome } from '#conformance/targets/adapters/call-verb.ts'
import type { WalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { send } from '#test/support/http.ts'
import { runCommand } from '#test/support/processes.ts'
import { root } from '#test/support/repository.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

describe('a wallet served over HTTP', () => {
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

  /** A wallet of a few lines that redeems offers and requests credentials with this proof. */
  async function runsAbout(proof: unknown, { needsPin = false, keeps = true } = {}) {
    const exchanges = createExchangeLog()
    const server = await startKitServer({ exchanges, caller: 'wallet under test' })
    const trust = openTrustWorld(server, { seed: 'x', now: Math.floor(Date.now() / 1000) })
    const answer = (outcome: VerbOutcome, reason: string): VerbAnswer => ({
      outcome,
      reason,
      text: '',
      json: undefined,
      source: 'itself',
    })
    const wallet: WalletDriver = {
      by: 'a test',
      can: { list: false, reset: false },
      async acceptOffer({ link, pin }) {
        if (needsPin && pin === undefined) return answer('refused', 'There is no PIN.')
        const offer = JSON.parse(new URL(link).searchParams.get('credential_offer') ?? '{}')
        const issuer: string = offer.credential_issuer
        const body = new URLSearchParams(pin === undefined ? {} : { tx_code: pin })
        const token = await fetch(`${issuer}/token`, { method: 'POST', body })
        const { access_token } = (await token.json()) as { access_token: string }
        const response = await send(`${issuer}/credential`, {
          headers: { authorization: `Bearer ${access_token}` },
          json: { format: 'jwt_vc_json', types: offer.credentials, proof },
        })
        if (!response.ok) return answer('refused', await response.text())
        return keeps ? answer('done', 'Stored.') : answer('refused', 'Its root is unknown.')
      },
      present: async () => answer('refused', 'It never presents.'),
      reset: async () => answer('failed', 'It cannot.'),
      list: async () => ({ ...answer('failed', 'It cannot.'), credentials: [] }),
    }
    const plan = openWalletPlan({
      server,
      trust,
      target: { name: 'x' },
      createDriver: () => wallet,
    })
    onTestFinished(() => plan.close())
    const checks = await loadChecks<WalletContext>('wallet')
    const selected = checks.filter(({ id }) => ['W01', 'W03', 'W27'].includes(id))
    const { signal } = new AbortController()
    return await runPlan(plan, { checks: selected, exchanges, signal })
  }

  async function findingsAbout(...about: Parameters<typeof runsAbout>) {
    const runs = await runsAbout(...about)
    return Object.fromEntries(
      runs.map(({ check, result }) => [check.id, `${result.verdict}: ${result.check?.reason}`]),
    )
  }

  it('blame a refused proof only on the check of proofs', async () => {
    const rejected = `so the kit's issuer does not know the holder and rejected it. Send a proof with each request, even without a c_nonce, and the DID in kid.`
    expect(await findingsAbout(undefined)).toEqual({
      W01: `inconclusive: The credential request has no proof, ${rejected}`,
      W03: 'passed: The wallet redeemed the offer without a PIN.',
      W27: 'failed: The credential request contains no proof.jwt.',
    })
    expect(await findingsAbout({ proof_type: 'jwt', jwt: 'e30.e30.c2ln' })).toMatchObject({
      W01: `inconclusive: The credential request has a proof without the DID of a holder, ${rejected}`,
      W03: expect.stringMatching(/^passed/),
      W27: expect.stringMatching(/^failed: The proof of possession breaks/),
    })
  })

  const kid = 'did:key:z6Mk#z6Mk'
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid })).toString('base64url')
  const proof = { proof_type: 'jwt', jwt: `${header}.e30.c2ln` }

  it('name the registries of the kit to a wallet that rejects every credential', async () => {
    const [first] = await runsAbout(proof, { keeps: false })
    expect(first?.result.check).toMatchObject({
      id: 'W01',
      reason: 'The wallet rejected a valid credential: Its root is unknown.',
      fix: expect.stringMatching(/root did:org:uc-pre:\w+, environment pre\b/),
    })
  })

  it('blame a wallet that always wants a PIN only if it accepts an offer with one', async () => {
    const wants = 'There is no PIN.'
    expect(await findingsAbout(proof, { needsPin: true })).toMatchObject({
      W03: `failed: The wallet accepts an offer with a PIN, but rejects one without: ${wants}`,
    })
    expect(await findingsAbout(undefined, { needsPin: true })).toMatchObject({
      W03: expect.stringMatching(/^inconclusive: Accepting an offer with a PIN failed/),
    })
  })

  describe('an idle wallet', () => {
    it('passes no check if it rejects everything, and fails only the plain offer', async () => {
      expect(await judge('refused')).toEqual({ passed: [], broken: ['W01'] })
    })

    it('neither passes nor fails a check if it always reports success or failure', async () => {
      for (const outcome of ['done', 'failed'] as const) {
        expect(await judge(outcome), outcome).toEqual({ passed: [], broken: [] })
      }
    })
  })
})
