import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import { certificateFile, findFreePorts, startTlsProxy } from '#test/support/servers.ts'
import { shareTemporaryFolder } from '#test/support/temporary-folder.ts'

const checks = await loadChecks('wallet')

describe('a wallet that is operated only by commands', () => {
  const folder = shareTemporaryFolder()
  let runs: readonly CheckRun[]
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>

  beforeAll(async () => {
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
    // That rejections are requested twice is shown once, in run-plan.test.ts.
    runs = await runPlan(plan, { checks, exchanges, signal, once: true })
    await plan.close()
  }, 480_000)
  afterAll(() => proxy?.close())

  it.each(checks.map(({ id, title }) => [id, title]))('passes %s: %s', (id) => {
    const { finding, result } = runs.find(({ check }) => check.id === id) ?? {}
    const actual = { verdict: result?.verdict, reason: finding?.reason ?? result?.failure?.stack }
    expect(actual).toEqual({ ...actual, verdict: 'passed' })
  })
})
