import { describe, expect, it } from 'vitest'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import { runCommand } from '#test/support/processes.ts'
import { startIssuerCounterpart } from '#test/support/start-issuer-counterpart.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { startVerifierCounterpart } from '#test/support/verifier-counterparts.ts'
import { allFaults } from '#wallet-emulator/faults/all-faults.ts'

function inFolder() {
  const cwd = createTemporaryFolder()
  return (...args: string[]) => runCommand(['wallet', ...args], { cwd })
}

describe('testbed wallet faults', () => {
  it('prints a table with one line a fault', async () => {
    const { exitCode, stdout, stderr } = await inFolder()('faults')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^name +check +what the wallet does +the rule/)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      allFaults.map(({ name, description }) => {
        const { check, rule } = brokenBy({ name })
        return [name, check, description, rule]
      }),
    )
  })

  it('prints what is expected of the other side as JSON', async () => {
    const { stdout } = await inFolder()('faults', '--json')
    const faults: { name: string }[] = JSON.parse(stdout)
    expect(faults.map(({ name }) => name)).toEqual(allFaults.map(({ name }) => name))
    expect(faults).toContainEqual({
      name: 'pin-wrong',
      check: 'I17',
      description: expect.any(String),
      rule: expect.stringContaining('Document 1'),
      needs: ['pin'],
      expected: { at: 'token', status: 400, error: 'invalid_grant' },
      stages: ['tokenRequest'],
    })
  })
})

describe('--fault', () => {
  it('makes the wallet deviate, in all the ways that are given', async () => {
    const wallet = inFolder()
    await wallet('create')
    const local = ['--allow-private-addresses', '--yes']
    const issuer = await startIssuerCounterpart({ pin: '4935' })
    const accept = ['accept', issuer.offerByValue(), '--pin', '4935', ...local]
    const refused = await wallet(...accept, '--fault', 'pin-wrong')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('Deviates (I17)')
    expect(await wallet(...accept)).toMatchObject({ exitCode: 0 })

    const verifier = await startVerifierCounterpart()
    const two = ['--fault', 'submission-missing', '--fault', 'response-wrong-state']
    const presented = await wallet('present', ...two, verifier.linkByValue(), ...local)
    expect(presented.exitCode, presented.stderr).toBe(0)
    const [form] = verifier.forms
    expect(form?.get('presentation_submission')).toBeNull()
    expect(form?.get('state')).toBe('bm90LXRoZS1zdGF0ZQ')
  }, 30_000)

  it('exits 2 for what a wallet can not do', async () => {
    const wallet = inFolder()
    await wallet('create')
    for (const [names, told] of [
      [['pin-worng'], 'pin-wrong'],
      [['pin-wrong', 'pin-missing'], 'pin-wrong and pin-missing'],
      [['proof-order-added'], 'EdDSA'],
    ] as const) {
      const faults = names.flatMap((name) => ['--fault', name])
      const link = 'openid-credential-offer://?x'
      const { exitCode, stdout, stderr } = await wallet('accept', link, ...faults)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain(told)
    }
  }, 30_000)
})
