import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { createWalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { type Answer, type Asked, startAnsweringServer } from '#test/support/servers.ts'

const options = () => ({ exchanges: createExchangeLog(), signal: AbortSignal.timeout(10_000) })

async function driveOverHttp(answer: (asked: Asked) => Answer) {
  const { url, requests } = await startAnsweringServer(answer)
  const headers = { authorization: 'Bearer t' }
  return {
    driver: createWalletDriver({ type: 'http', url: `${url}/`, headers }, options()),
    requests,
  }
}

describe('a wallet over HTTP, in the form of docs/guides/wallet-over-http.md', () => {
  it('gets its four verbs', async () => {
    const { driver, requests } = await driveOverHttp(() => ({
      status: 200,
      body: { credentials: [{ id: '1' }] },
    }))
    expect((await driver.acceptOffer({ link: 'o', pin: '1234' })).outcome).toBe('done')
    expect((await driver.acceptOffer({ link: 'o' })).outcome).toBe('done')
    expect((await driver.present({ link: 'p' })).outcome).toBe('done')
    expect((await driver.list()).credentials).toEqual([{ id: '1' }])
    expect((await driver.reset({ curve: 'Ed25519' })).outcome).toBe('done')
    expect((await driver.reset()).outcome).toBe('done')
    expect(requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      'POST /accept-offer {"link":"o","pin":"1234"}',
      'POST /accept-offer {"link":"o"}',
      'POST /present {"link":"p"}',
      'GET /list ',
      'POST /reset {"curve":"Ed25519"}',
      'POST /reset {}',
    ])
    expect(requests.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true)
  })

  it.each([
    [422, 'refused'],
    [400, 'failed'],
    [502, 'failed'],
    [404, 'failed'],
    [429, 'overloaded'],
  ])('%i is %s', async (status, outcome) => {
    const { driver } = await driveOverHttp(() => ({ status }))
    expect((await driver.present({ link: 'p' })).outcome).toBe(outcome)
  })
})

describe('a wallet by commands', () => {
  const print = (text: string) => `${process.execPath} -e console.log(process.argv[1]) '${text}'`
  const verbs = {
    type: 'command' as const,
    'accept-offer': print('{link}'),
    present: print('{link}'),
  }

  it('returns the printed list, also as a member of an object', async () => {
    const list = async (text: string) =>
      createWalletDriver({ ...verbs, list: print(text) }, options()).list()
    expect((await list('["a"]')).credentials).toEqual(['a'])
    expect((await list('{"credentials":["a"]}')).credentials).toEqual(['a'])
    expect(await list('nothing')).toMatchObject({ outcome: 'failed', credentials: [] })
  })

  it('reports missing verbs, whose checks are inconclusive', async () => {
    const driver = createWalletDriver(verbs, options())
    expect(driver.can).toEqual({ list: false, reset: false })
    expect((await driver.reset()).outcome).toBe('failed')
    expect((await driver.list()).outcome).toBe('failed')
  })
})
