import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'

const did = 'did:org:uc-pre:z1Somebody'

const document = (id: string) => ({
  '@context': ['https://www.w3.org/ns/did/v1'],
  id,
  controller: [],
  verificationMethod: [],
  assertionMethod: [],
})

async function resolverAnswering(status: number, body: unknown) {
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    requests.push([request.method, request.url, request.headers.accept])
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const http = createWalletHttp({ allowPrivateAddresses: true })
  return { requests, resolve: createDidResolver(http, () => base) }
}

describe('createDidResolver', () => {
  it('asks the registry as document 2 has it, at a time where one is given', async () => {
    const { requests, resolve } = await resolverAnswering(200, document(did))
    expect(await resolve(did)).toEqual({ ok: true, value: document(did) })
    expect(await resolve(did, 1_800_000_000.7)).toEqual({ ok: true, value: document(did) })
    const path = '/api/v1/identifiers/did%3Aorg%3Auc-pre%3Az1Somebody'
    expect(requests).toEqual([
      ['GET', path, 'application/did+ld+json'],
      ['GET', `${path}?valid-at=1800000000`, 'application/did+ld+json'],
    ])
  })

  it.each([
    ['404', 404, {}, 'not-found'],
    ['500', 500, document(did), 'unavailable'],
    ['the document of another DID', 200, document('did:org:uc-pre:z1Other'), 'unavailable'],
    ['no document', 200, '<html>', 'unavailable'],
  ] as const)('tells %s apart from a document', async (_, status, body, kind) => {
    const { resolve } = await resolverAnswering(status, body)
    expect(await resolve(did)).toMatchObject({ ok: false, kind })
  })

  it('tells a registry that is not there from one that knows nothing', async () => {
    const http = createWalletHttp({ allowPrivateAddresses: true })
    const gone = createDidResolver(http, () => 'http://127.0.0.1:9')
    expect(await gone(did)).toMatchObject({ ok: false, kind: 'unavailable' })
    const unknown = createDidResolver(http, () => undefined)
    expect(await unknown(did)).toMatchObject({ ok: false, kind: 'not-found' })
  })
})
