import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { findFreePorts, listenForTest } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { type Address, checkHealth } from '#testbed/services/addresses.ts'
import { startTestbed } from '#testbed/start-testbed.ts'

describe('a start that cannot succeed exits with code 3 and names what is wrong', () => {
  const cases: [string, (folder: string) => Promise<string[]> | string[], string[]][] = [
    [
      'an address of another machine',
      () => ['--bind', '192.0.2.1'],
      ['192.0.2.1', '--bind', '127.0.0.1'],
    ],
    [
      'an invalid database',
      (folder) => {
        writeFileSync(join(folder, 'mail.sqlite'), 'x'.repeat(9000))
        return []
      },
      ['mail.sqlite', 'damaged', 'Restore'],
    ],
    [
      'a file in place of a folder',
      (folder) => {
        writeFileSync(join(folder, 'pre'), '')
        return []
      },
      ['/pre', '--data'],
    ],
    [
      'a folder in place of a file',
      (folder) => {
        mkdirSync(join(folder, 'secrets.json'))
        return []
      },
      ['secrets.json', 'Restore'],
    ],
    [
      // The services are being created by then.
      'a journal that cannot be replayed',
      async (folder) => {
        const testbed = await startTestbed({ dataFolder: folder })
        await testbed.close()
        const entry = JSON.stringify({ accepted: '0x00' })
        const checksum = crc32(entry).toString(16).padStart(8, '0')
        appendFileSync(join(folder, 'pre/chain.journal'), `${checksum} ${entry}\n`)
        return []
      },
      ["chain's journal could not be replayed", 'rejects a transaction', 'new data folder'],
    ],
    [
      'a PostgreSQL server that is not there',
      async () => {
        const [port] = await findFreePorts(1)
        return ['--database-url', `postgres://a:hidden@127.0.0.1:${port}/b?connect_timeout=0`]
      },
      ['PostgreSQL at 127.0.0.1:', '/b', 'ECONNREFUSED', 'Start the server'],
    ],
  ]

  it.each(cases)('%s', async (_, prepare, said) => {
    const folder = createTemporaryFolder()
    const up = ['up', '--port-base', '0', '--data', folder, ...(await prepare(folder))]
    const { exitCode, stderr } = await runCommand(up, { cwd: createTemporaryFolder() })
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr })
    for (const part of said) expect(stderr).toContain(part)
    expect(stderr).not.toMatch(/\n\s+at |hidden/)
  })

  it.runIf(existsSync('/dev/full')).each([
    ['lock', 'lock.PID'],
    ['secrets.json', 'secrets.json.PID.tmp'],
  ])('a disk without space for %s', async (name, written) => {
    const folder = createTemporaryFolder()
    symlinkSync('/dev/full', join(folder, written.replace('PID', String(process.pid))))
    const up = ['up', '--port-base', '0', '--data', folder]
    const { exitCode, stderr } = await runCommand(up, { cwd: createTemporaryFolder() })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining(`${join(folder, name)}: the disk is full.\n  Free space`),
    })
    expect(readdirSync(folder)).not.toContain('lock')
  })
})

it.each([40, 90])('a limit of %d open files is named', (limit) => {
  const bin = resolve(import.meta.dirname, '../../bin/testbed')
  const up = [bin, 'up', '--port-base', '0', '--data', createTemporaryFolder()]
  const limited = ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, ...up]
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining('ulimit -n') })
})

describe('the health after a start', () => {
  /** A service that reports that it is not healthy the given number of times. */
  async function startIll(times: number): Promise<Address> {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.writeHead(asked > times ? 200 : 503).end()
    })
    const url = await listenForTest(server)
    return { group: 'pre', name: 'slow', url, healthUrl: `${url}/health` } as Address
  }

  it('is awaited', async () => {
    await checkHealth([await startIll(3), await startIll(0)], (url) => url)
  })

  it('fails with the names of the unhealthy parts', async () => {
    const addresses = [await startIll(Number.POSITIVE_INFINITY), await startIll(0)]
    await expect(checkHealth(addresses, (url) => url, 300)).rejects.toMatchObject({
      code: 'not_healthy',
      message: expect.stringContaining('pre slow (HTTP 503)'),
    })
  })
})
