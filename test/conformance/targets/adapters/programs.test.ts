import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { startProgram } from '#conformance/targets/adapters/programs.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { findFreePorts, startAnsweringServer } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const node = process.execPath

/** A server on a port that is found first; it returns what the kit passed to it. */
const server = `
import { createServer } from 'node:http'
console.log('rooted in ' + process.env.TESTBED_ROOT_DID)
createServer((request, response) => {
  console.log('asked for ' + request.url)
  const { TESTBED_TIR_URL, TESTBED_CREDENTIAL_ISSUER_URL } = process.env
  response.end(TESTBED_TIR_URL + ' ' + TESTBED_CREDENTIAL_ISSUER_URL)
}).listen(process.argv[2])
`

function writeProgram(text: string) {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'service.mjs'), text)
  return { folder, command: `${node} service.mjs` }
}

const options = () => ({ environment: {}, signal: AbortSignal.timeout(20_000) })

describe('the program of a target', () => {
  it('runs during the plan, receives the kit’s addresses, and its output is evidence', async () => {
    const [port = 0] = await findFreePorts(1)
    const ready = `http://127.0.0.1:${port}/health`
    const { folder, command } = writeProgram(server)
    const exchanges = createExchangeLog()
    const start = { folder, command: `${command} ${port}`, ready }
    const kit = await openKit({ start }, 'wallet under test', {
      exchanges,
      signal: AbortSignal.timeout(20_000),
    })
    const { addresses } = kit.trust
    const { tirBaseUrl, credentialIssuerUrl } = addresses
    expect(await (await fetch(ready)).text()).toBe(`${tirBaseUrl} ${credentialIssuerUrl}`)
    kit.settle()
    const [hop] = exchanges.take()
    expect(hop).toMatchObject({ kind: 'command', from: 'wallet under test', method: 'WROTE' })
    expect(hop?.responseBody).toContain(`rooted in ${addresses.rootDid}`)
    expect(hop?.responseBody).toContain('asked for /health')
    kit.settle()
    expect(exchanges.take()).toEqual([])
    await kit.close()
    await expect(fetch(ready)).rejects.toThrow()
  })

  it('does not run while another program responds at its address', async () => {
    const { url } = await startAnsweringServer(() => ({ status: 200 }))
    const { folder, command } = writeProgram('')
    await expect(startProgram({ folder, command, ready: url }, options())).rejects.toMatchObject({
      code: 'not_started',
      message: expect.stringContaining(`already responds at ${url}`),
    })
  })

  it('that ends before it is ready is reported with its output', async () => {
    const start = writeProgram('console.error("no database"); process.exit(3)')
    await expect(
      startProgram({ ...start, ready: 'http://127.0.0.1:9/' }, options()),
    ).rejects.toMatchObject({
      code: 'not_started',
      message: expect.stringContaining('ended before it was ready (exit code 3)'),
      hints: ['Its output: no database'],
    })
  })

  it('that ends during the plan is reported with its output', async () => {
    const start = writeProgram('console.error("no database"); process.exit(3)')
    const program = await startProgram(start, options())
    await expect
      .poll(program.describeState)
      .toBe("The target's start command has ended (exit code 3). Its output: no database")
  })

  it('that runs is reported if nothing shows that it is ready', async () => {
    const program = await startProgram(writeProgram('setInterval(() => {}, 1000)'), options())
    expect(await program.describeState()).toContain('start.ready')
    await program.stop()
  })

  it('that never becomes ready is ended', async () => {
    const start = { ...writeProgram('setInterval(() => {}, 1000)'), timeoutSeconds: 0.3 }
    await expect(
      startProgram({ ...start, ready: 'http://127.0.0.1:9/' }, options()),
    ).rejects.toMatchObject({ code: 'not_started', hints: ['It had no output.'] })
  })

  it('that returns no 2xx is reported with the status', async () => {
    const { url } = await startAnsweringServer(() => ({ status: 404 }))
    const start = { ...writeProgram('setInterval(() => {}, 1000)'), timeoutSeconds: 0.3 }
    await expect(startProgram({ ...start, ready: url }, options())).rejects.toMatchObject({
      code: 'not_started',
      message: expect.stringContaining(`HTTP 404, not a 2xx, at ${url} within 0.3 seconds`),
    })
  })

  it('that does not exist is reported immediately', async () => {
    await expect(startProgram({ command: './nowhere' }, options())).rejects.toMatchObject({
      code: 'not_started',
      message: expect.stringContaining('ENOENT'),
    })
  })
})

describe('the kit', () => {
  it('says which port is taken', async () => {
    const exchanges = createExchangeLog()
    const signal = AbortSignal.timeout(20_000)
    const first = await openKit({}, 'wallet', { exchanges, signal })
    const port = Number(new URL(first.server.origin).port)
    await expect(openKit({ kit: { port } }, 'wallet', { exchanges, signal })).rejects.toMatchObject(
      {
        code: 'not_started',
        message: expect.stringContaining(`127.0.0.1:${port}`),
      },
    )
    await first.close()
  })

  it('says which addresses exist', async () => {
    const options = { exchanges: createExchangeLog(), signal: AbortSignal.timeout(20_000) }
    await expect(openKit({ kit: { bind: '192.0.2.1' } }, 'wallet', options)).rejects.toMatchObject({
      code: 'not_started',
      hints: [expect.stringContaining('127.0.0.1')],
    })
  })
})
