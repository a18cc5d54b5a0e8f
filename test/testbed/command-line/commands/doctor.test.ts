import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { runCommand, runTestbed } from '#test/support/processes.ts'
import { readTestbedFile, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

interface Finding {
  readonly name: string
  readonly verdict: string
  readonly found: string
}

async function doctor(data: string, port: string) {
  const cwd = createTemporaryFolder()
  const argv = ['doctor', '--port-base', port, '--data', data]
  const { exitCode, stdout } = await runCommand([...argv, '--json'], { cwd })
  const findings: Finding[] = JSON.parse(stdout)
  return { exitCode, findings, readText: async () => (await runCommand(argv, { cwd })).stdout }
}

describe('testbed doctor', () => {
  it('reports what exists, also as JSON', async () => {
    const { exitCode, findings, readText } = await doctor(createTemporaryFolder(), '0')
    const verdicts = Object.fromEntries(findings.map(({ name, verdict }) => [name, verdict]))
    expect(verdicts).toMatchObject({ Node: 'ok', 'chain node': 'ok', 'data folder': 'ok' })
    expect(exitCode).toBe(0)
    const text = await readText()
    for (const { name } of findings) expect(text).toContain(`${name}:`)
  })

  it('reports a data folder that is a file', async () => {
    const file = join(createTemporaryFolder(), 'file')
    writeFileSync(file, '')
    const { exitCode, findings } = await doctor(file, '0')
    const found = findings.find(({ name }) => name === 'data folder')
    expect({ exitCode, ...found }).toMatchObject({ exitCode: 1, verdict: 'missing' })
  })

  it('reports an unusable temporary folder, and a proxy for this machine', async () => {
    const { exitCode, stdout } = await runTestbed(['doctor', '--port-base', '0', '--json'], {
      TMPDIR: '/dev/null/tmp',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '',
    })
    const unmet = (JSON.parse(stdout) as Finding[]).filter(({ verdict }) => verdict !== 'ok')
    expect({ exitCode, unmet: unmet.map(({ name }) => name) }).toEqual({
      exitCode: 1,
      unmet: ['temporary folder', 'requests to 127.0.0.1'],
    })
  })

  it('reports a browser that does not exist', async () => {
    const env = { PUPPETEER_EXECUTABLE_PATH: '/nonexistent/chrome' }
    const argv = ['doctor', '--json', '--port-base', '0']
    const cwd = createTemporaryFolder()
    const { exitCode, stdout } = await runCommand(argv, { cwd, env })
    const found = JSON.parse(stdout).find(({ name }: Finding) => name === 'browser')
    expect({ exitCode, ...found }).toMatchObject({ exitCode: 1, verdict: 'missing' })
    expect(found.advice).toContain('PUPPETEER_EXECUTABLE_PATH')
  })

  it('names the processes that use the ports, except our own; up --json prints only testbed.json', async () => {
    const testbed = spawnTestbed(createTemporaryFolder(), '--json')
    await expect.poll(() => testbed.stdout().endsWith('}\n')).toBe(true)
    const printed = zTestbedFile.parse(JSON.parse(testbed.stdout()))
    expect(printed).toEqual(readTestbedFile(testbed.folder))

    if (process.platform !== 'linux') return
    const { port } = new URL(printed.consoleUrl)
    const ports = async (data: string) => {
      const { exitCode, findings } = await doctor(data, port)
      return { exitCode, ...findings.find(({ name }) => name === 'ports') }
    }
    expect(await ports(testbed.folder)).toMatchObject({ exitCode: 0, verdict: 'ok' })
    const elsewhere = await ports(createTemporaryFolder())
    expect(elsewhere).toMatchObject({ exitCode: 1, verdict: 'in use' })
    expect(elsewhere.found).toContain(port)
    expect(elsewhere.found).toContain(String(printed.pid))
  })
})
