import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readDockerfile, readExecForm } from '#test/support/read-dockerfile.ts'
import { root } from '#test/support/repository.ts'
import { configure } from '#testbed/command-line/commands/up.ts'
import { listPorts } from '#testbed/process/ports.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const stages = readDockerfile(read('containers/Dockerfile'))
const last = stages.at(-1)
const textOf = (name: string) => last?.instructions.find((each) => each.name === name)?.text ?? ''

/** The single ports of `4000-4002 4025`. */
const unfold = (ranges: string) =>
  ranges.split(/\s+/).flatMap((range) => {
    const [first = 0, end = first] = range.split('-').map(Number)
    return Array.from({ length: end - first + 1 }, (_, index) => first + index)
  })
const expectedPorts = listPorts(4000, ['pre', 'pro'])
  .map(({ port }) => port)
  .sort((one, other) => one - other)

/** The options of `testbed up` as the command line itself reads them. */
function readUpOptions(argv: readonly string[]) {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  const up = program.command('up')
  configure(up)
  up.action(() => {})
  program.parse([...argv], { from: 'user' })
  return up.opts()
}

describe('containers/Dockerfile', () => {
  it('builds each stage on a slim image of the required Node version', () => {
    const major = Number.parseInt(read('.nvmrc'), 10)
    expect(stages).toHaveLength(3)
    for (const { base } of stages) expect(base).toBe(`node:${major}-bookworm-slim`)
  })

  it('copies only from the context or from an earlier stage', () => {
    const known: (string | undefined)[] = []
    for (const { name, instructions } of stages) {
      for (const { text } of instructions.filter((each) => each.name === 'COPY')) {
        const [, stage] = text.match(/^--from=(\S+) /) ?? []
        if (stage === undefined) expect(existsSync(join(root, text.split(' ')[0] ?? ''))).toBe(true)
        else expect(known).toContain(stage)
      }
      known.push(name)
    }
  })

  it('runs as an unprivileged user, handles a stop signal and has a health check', () => {
    expect(textOf('USER')).toBe('node')
    expect(textOf('STOPSIGNAL')).toBe('SIGTERM')
    expect(textOf('HEALTHCHECK')).toMatch(/--interval=\d+s --timeout=\d+s .* CMD \[/)
    expect(readExecForm(textOf('HEALTHCHECK'))[1]).toBe(
      '/opt/lear-testbed/dist/containers/health-check.js',
    )
    expect(existsSync(join(root, 'containers/health-check.ts'))).toBe(true)
    expect(readExecForm(textOf('ENTRYPOINT'))).toEqual(['node', '/opt/lear-testbed/bin/testbed'])
  })

  it('does not contain a setting that could be a secret', () => {
    const settings = stages.flatMap(({ instructions }) =>
      instructions.filter(({ name }) => name === 'ENV' || name === 'ARG'),
    )
    expect(settings.map(({ text }) => text)).toEqual([
      'NODE_ENV=production MALLOC_MMAP_THRESHOLD_=131072',
    ])
  })

  it('exposes every port of the testbed, and makes it reachable from outside', () => {
    expect(unfold(textOf('EXPOSE'))).toEqual(expectedPorts)
    expect(readUpOptions(readExecForm(textOf('CMD')))).toMatchObject({
      portBase: 4000,
      data: textOf('VOLUME'),
      bind: '0.0.0.0',
      publicUrl: 'http://localhost',
      allowedHosts: ['testbed'],
    })
  })
})

describe('.dockerignore', () => {
  it('excludes installed, generated and secret files, but no file that is copied', () => {
    const ignored = read('.dockerignore').split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', '.node', '.testbed', '.env*', '**/node_modules']),
    )
    const needed = [
      'package.json',
      'package-lock.json',
      'bin',
      'scripts',
      'dist',
      '.nvmrc',
      'tsconfig.json',
    ]
    expect(needed.filter((path) => ignored.includes(path))).toEqual([])
  })
})

describe('docker-compose.yml', () => {
  const { services, volumes } = parse(read('docker-compose.yml'))
  const { testbed } = services

  it('builds the image and keeps its data in a volume', () => {
    expect(existsSync(join(root, testbed.build.context, testbed.build.dockerfile))).toBe(true)
    const [volume = '', folder] = testbed.volumes[0].split(':')
    expect(Object.keys(volumes)).toEqual([volume])
    expect(folder).toBe(textOf('VOLUME'))
  })

  it('publishes every port under its own number', () => {
    const sides = testbed.ports.map((mapping: string) => mapping.split(':'))
    for (const [host, container] of sides) expect(host).toBe(container)
    expect(sides.flatMap(([host]: [string]) => unfold(host))).toEqual(expectedPorts)
  })

  it('passes only existing options, with defaults for its variables', () => {
    const argv = testbed.command.map((argument: string) =>
      argument.replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    )
    expect(readUpOptions(argv)).toEqual({
      portBase: 4000,
      env: ['pre'],
      open: true,
      data: '/data',
      bind: '0.0.0.0',
      publicUrl: 'http://localhost',
      allowedHosts: ['testbed'],
    })
  })
})
