import { expect, it } from 'vitest'
import { createHar, createMermaid } from '#testbed/console/exchanges/create-file.ts'
import { createHop } from './create-hop.ts'

const call = createHop({
  method: 'POST',
  url: '/token?a=1',
  requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
  requestBody: { 'pre-authorized_code': 'R6a_xfOZ…' },
  responseHeaders: { 'content-type': 'application/json', location: '/next' },
  responseBody: { c_nonce: 'n' },
})

it('writes exchanges as HTTP Archive 1.2', () => {
  const { log } = JSON.parse(
    createHar([call, createHop({ kind: 'chain', to: 'chain', url: 'eth_call' })]),
  )
  expect(log.version).toBe('1.2')
  expect(log.entries[0]).toMatchObject({
    startedDateTime: new Date(call.at).toISOString(),
    time: 12.5,
    request: {
      method: 'POST',
      url: 'http://connector/token?a=1',
      queryString: [{ name: 'a', value: '1' }],
      postData: { text: '{"pre-authorized_code":"R6a_xfOZ…"}' },
    },
    response: { status: 200, redirectURL: '/next', content: { text: '{"c_nonce":"n"}' } },
  })
  expect(log.entries[1]).toMatchObject({ comment: 'wallet to chain: eth_call' })
})

it('writes exchanges as a Mermaid diagram, in which foreign text cannot add lines', () => {
  const hostile = createHop({
    from: 'token-issuer',
    url: '/x;participant evil%0Aevil->>wallet: hi#35;',
    rules: [{ rule: 'credential.status', passed: false }],
  })
  const names: Readonly<Record<string, string>> = { wallet: 'Cartera' }
  expect(createMermaid([call, hostile], (part) => names[part] ?? part).split('\n')).toEqual([
    'sequenceDiagram',
    '  participant wallet as Cartera',
    '  participant connector as connector',
    '  participant token_issuer as token-issuer',
    '  wallet->>connector: POST /token 200',
    '  token_issuer-xconnector: GET /x#59;participant evil#10;evil->>wallet: hi#35;35#59; 200 ✗ credential.status',
    '',
  ])
})
