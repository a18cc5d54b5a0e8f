import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findFreePorts, listenForTest } from '#test/support/servers.ts'
import { checkAddress } from '#wallet-emulator/http/check-address.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'

const run = promisify(execFile)

const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
}
const lookUp = async (host: string) => names[host] ?? [host]

const refusal = (address: string, allowPrivateAddresses = false) =>
  checkAddress(address, { allowPrivateAddresses, lookUp })

describe('checkAddress', () => {
  it.each([
    'http://public.example/offer',
    'https://public.example:8443/offer?x=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('allows %s', async (address) => {
    expect(await refusal(address)).toBeUndefined()
  })

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[4000::1]/',
    'http://[8000::1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://inside.example/',
    'http://both.example/',
  ])('rejects %s, unless private addresses are allowed', async (address) => {
    expect(await refusal(address)).toBeTypeOf('string')
    expect(await refusal(address, true)).toBeUndefined()
  })

  it.each([
    'ftp://public.example/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'http://user:secret@public.example/',
    'not an address',
    '',
  ])('rejects %s in any case', async (address) => {
    expect(await refusal(address)).toBeTypeOf('string')
    expect(await refusal(address, true)).toBeTypeOf('string')
  })

  it('rejects a name that does not resolve', async () => {
    const neverLookUp = async () => {
      throw new Error('ENOTFOUND')
    }
    const policy = { allowPrivateAddresses: false, lookUp: neverLookUp }
    expect(await checkAddress('http://gone.example/', policy)).toBeTypeOf('string')
  })
})

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  return `${await listenForTest(server)}/`
}

const allowPrivateAddresses = true

describe('createWalletHttp', () => {
  it('sends nothing to a private address by default', async () => {
    let requests = 0
    const url = await listen((_, response) => {
      requests++
      response.end()
    })
    const refused = createWalletHttp().request(url)
    await expect(refused).rejects.toMatchObject({ code: 'address_refused' })
    expect(requests).toBe(0)
  })

  it('does not connect to a private address if the resolver changes its answer', async () => {
    let requests = 0
    const url = await listen((_, response) => {
      requests++
      response.end()
    })
    const name = url.replace('127.0.0.1', 'localhost')
    // In a separate process, because Node creates its dispatcher at the first request.
    const program = `
      const { createWalletHttp } = await import('#wallet-emulator/http/create-wallet-http.ts')
      let answers = 0
      const lookUp = async () => (answers++ === 0 ? ['8.8.8.8'] : ['127.0.0.1'])
      const refused = createWalletHttp({ lookUp }).request('${name}')
      console.log(await refused.catch(({ code }) => code), answers)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    expect({ stdout, requests }).toEqual({ stdout: 'address_refused 2\n', requests: 0 })
  })

  it.each([301, 302, 303, 307, 308])('does not follow redirects (%i)', async (status) => {
    const paths: unknown[] = []
    const url = await listen((request, response) => {
      paths.push(request.url)
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const refused = createWalletHttp({ allowPrivateAddresses }).request(url)
    await expect(refused).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(paths).toEqual(['/'])
  })

  it('reads no more than its limit', async () => {
    const url = await listen((_, response) => response.end('x'.repeat(5000)))
    const http = (maxResponseBytes: number) =>
      createWalletHttp({ allowPrivateAddresses, maxResponseBytes }).request(url)
    await expect(http(4999)).rejects.toMatchObject({ code: 'response_too_large' })
    expect((await http(5000)).text).toHaveLength(5000)
  })

  it('stops reading an answer that never ends', async () => {
    const url = await listen((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const endless = createWalletHttp({ allowPrivateAddresses }).request(url)
    await expect(endless).rejects.toMatchObject({ code: 'response_too_large' })
  })

  it('waits no longer than its time limit, also for the body', async () => {
    const silent = await listen(() => {})
    const halting = await listen((_, response) => response.write('{'))
    for (const url of [silent, halting]) {
      const late = createWalletHttp({ allowPrivateAddresses, timeoutMilliseconds: 50 }).request(url)
      await expect(late).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('50 ms'),
      })
    }
  })

  it('waits no longer than its time limit to resolve a name', async () => {
    const lookUp = () => new Promise<never>(() => {})
    const late = createWalletHttp({ lookUp, timeoutMilliseconds: 50 }).request('https://a.example')
    await expect(late).rejects.toMatchObject({ code: 'unreachable' })
    const signal = AbortSignal.abort(new Error('interrupted'))
    const stopped = createWalletHttp({ lookUp, signal }).request('https://a.example')
    await expect(stopped).rejects.toThrow('interrupted')
  })

  it('rethrows errors of its listener', async () => {
    const url = await listen((_, response) => response.end())
    const onExchange = () => {
      throw new RangeError('of the listener')
    }
    const heard = createWalletHttp({ allowPrivateAddresses, onExchange }).request(url)
    await expect(heard).rejects.toThrow(RangeError)
  })

  it('reports why a request failed', async () => {
    const broken = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{', () => response.destroy())
    })
    const [unused] = await findFreePorts(1)
    const { request } = createWalletHttp({ allowPrivateAddresses })
    for (const [url, reason] of [
      [`http://127.0.0.1:${unused}/`, 'ECONNREFUSED'],
      [broken, 'other side closed'],
    ] as const) {
      await expect(request(url)).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining(reason),
      })
    }
  })

  it('aborts immediately when its signal does', async () => {
    const url = await listen(() => {})
    const controller = new AbortController()
    const { signal } = controller
    const waiting = createWalletHttp({ allowPrivateAddresses, signal }).request(url)
    controller.abort(new Error('interrupted'))
    await expect(waiting).rejects.toThrow('interrupted')
  })

  it('returns answers of any status, with their JSON if they contain any', async () => {
    const url = await listen((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('{"error":"x"}')
    })
    expect(await createWalletHttp({ allowPrivateAddresses }).request(url)).toEqual({
      url,
      status: 500,
      contentType: 'text/html',
      text: '{"error":"x"}',
      json: { error: 'x' },
    })
  })
})
