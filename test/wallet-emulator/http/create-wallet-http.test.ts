import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
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

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    const paths: unknown[] = []
    const url = await listen((request, response) => {
      paths.push(request.url)
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const refused = createWalletHttp({ allowPrivateAddresses }).request(url)
    await expect(refused).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(paths).toEqual(['/'])
  })

  it('reads no more than it may', async () => {
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

  it('waits no longer than it may, also for the body', async () => {
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

  it('waits no longer for the address of a name', async () => {
    const lookUp = () => new Promise<never>(() => {})
    const late = createWalletHttp({ lookUp, timeoutMilliseconds: 50 }).request('https://a.example')
    await expect(late).rejects.toMatchObject({ code: 'unreachable' })
    const signal = AbortSignal.abort(new Error('interrupted'))
    const stopped = createWalletHttp({ lookUp, signal }).request('https://a.example')
    await expect(stopped).rejects.toThrow('interrupted')
  })

  it('lets through what its listener throws', async () => {
    const url = await listen((_, response) => response.end())
    const onExchange = () => {
      throw new RangeError('of the listener')
    }
    const heard = createWalletHttp({ allowPrivateAddresses, onExchange }).request(url)
    await expect(heard).rejects.toThrow(RangeError)
  })

  it('says so where nobody listens', async () => {
    const gone = createWalletHttp({ allowPrivateAddresses }).request('http://127.0.0.1:9/')
    await expect(gone).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('gives up at once when its signal ends', async () => {
    const url = await listen(() => {})
    const controller = new AbortController()
    const { signal } = controller
    const waiting = createWalletHttp({ allowPrivateAddresses, signal }).request(url)
    controller.abort(new Error('interrupted'))
    await expect(waiting).rejects.toThrow('interrupted')
  })

  it('gives answers of any status, with their JSON where they hold some', async () => {
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
