import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Wait } from 'testcontainers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTestbedFile } from '#test/support/small-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { runSuites } from '#testbed/library/run-suites.ts'
import { listPorts } from '#testbed/process/ports.ts'
import { findFreePortBase } from '../../containers/find-free-port-base.ts'
import { StartedTestbedContainer } from '../../containers/started-testbed-container.ts'
import { TestbedContainer } from '../../containers/testbed-container.ts'

/** Shows what would be asked of a container engine. */
class ShownContainer extends TestbedContainer {
  requestFor(host: string, portBase: number) {
    this.prepare(host, portBase)
    return {
      image: this.imageName.string,
      command: this.createOpts.Cmd,
      ports: this.exposedPorts,
      bound: Object.keys(this.hostConfig.PortBindings ?? {}),
      exposed: Object.keys(this.createOpts.ExposedPorts ?? {}),
      healthCheck: this.healthCheck,
      waitStrategy: this.waitStrategy,
      startupTimeout: this.startupTimeoutMs,
    }
  }
}

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)

describe('TestbedContainer', () => {
  it('requests the image of its version and waits until it is healthy', () => {
    const request = new ShownContainer().requestFor('localhost', 21_000)
    expect(request.image).toBe(`lear-testbed:${version}`)
    expect(request.waitStrategy).toBeInstanceOf(Wait.forHealthCheck().constructor)
    expect(request.healthCheck?.test[0]).toBe('CMD')
    expect(new ShownContainer('registry.example/testbed:7').requestFor('h', 4000).image).toBe(
      'registry.example/testbed:7',
    )
  })

  it('binds each port of the testbed to the same one of the host', () => {
    const { ports, command } = new ShownContainer()
      .withEnvironments('pre', 'pro')
      .withNetworkAliases('first', 'second')
      .requestFor('docker.example', 21_000)
    const expected = listPorts(21_000, ['pre', 'pro']).map(({ port }) => port)
    expect(ports).toEqual(expected.map((port) => ({ container: port, host: port })))
    expect(command).toEqual([
      'up',
      '--in-memory',
      '--data',
      '/data',
      '--bind',
      '0.0.0.0',
      '--public-url',
      'http://docker.example',
      '--allowed-hosts',
      'testbed,first,second',
      '--port-base',
      '21000',
      '--env',
      'pre,pro',
    ])
  })

  it('binds other ports when it is started again, in addition to the exposed ports of its owner', () => {
    const container = new ShownContainer().withExposedPorts(9229) as ShownContainer
    container.requestFor('localhost', 21_000)
    const { ports, bound, exposed } = container.requestFor('localhost', 22_000)
    const expected = listPorts(22_000, ['pre']).map(({ port }) => port)
    expect(ports).toEqual([9229, ...expected.map((port) => ({ container: port, host: port }))])
    const named = ['9229', ...expected].map((port) => `${port}/tcp`).sort()
    expect([bound.sort(), exposed.sort()]).toEqual([named, named])
  })

  it('passes on the seed and further options, and writes IPv6 addresses as in URLs', () => {
    const { command } = new ShownContainer()
      .withSeed('abc')
      .withTestbedOptions('--mining', 'manual')
      .requestFor('::1', 21_000)
    expect(command?.slice(-4)).toEqual(['--seed', 'abc', '--mining', 'manual'])
    expect(command).toContain('http://[::1]')
  })

  it('starts if a container engine is available', { timeout: 600_000 }, async ({ skip }) => {
    const docker = await runProgram('docker', ['info'])
    if (docker.code !== 0) skip(`no container engine: ${docker.stderr.trim().split('\n').at(-1)}`)
    await using container = await (await TestbedContainer.build()).start()
    const { scenarios } = await runSuites({
      testbed: container.getTestbedFile(),
      pattern: '^issuance/representative$',
    })
    expect(scenarios.map(({ verdict }) => verdict)).toEqual(['passed', 'passed'])
  })
})

describe('StartedTestbedContainer', () => {
  const file = createTestbedFile('http://127.0.0.1:1')
  const createStarted = () =>
    new StartedTestbedContainer(
      { logs: async () => Readable.from(['testbed\n  console', '  http\npre\n']) } as never,
      file,
    )

  it('returns testbed.json, also as a file that only its owner can read', async () => {
    const path = join(createTemporaryFolder(), 'testbed.json')
    await createStarted().writeTestbedFile(path)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(createStarted().getTestbedFile())
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('passes on the output of the testbed line by line', async () => {
    const lines: string[] = []
    const last = Promise.withResolvers<void>()
    await createStarted().followLog((line) => {
      lines.push(line)
      if (line === 'pre') last.resolve()
    })
    await last.promise
    expect(lines).toEqual(['testbed', '  console  http', 'pre'])
  })
})

describe('findFreePortBase', () => {
  it('skips a base if one of its ports is taken', async () => {
    const base = await findFreePortBase(['pre'], () => 0)
    const [, , taken] = listPorts(base, ['pre'])
    const server = createServer().listen(taken?.port, '0.0.0.0')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const next = await findFreePortBase(['pre'], () => 0)
    expect(next).toBeGreaterThan(base)
    expect((next - base) % 100).toBe(0)
  })
})
