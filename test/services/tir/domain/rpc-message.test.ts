import { expect, it } from 'vitest'
import { parseRpcRequest } from '#services/tir/domain/rpc-message.ts'

it('ignores inherited members of a request', () => {
  const inherited = Object.create({ jsonrpc: '2.0', method: 'x', id: 1 })
  expect(parseRpcRequest({ ...inherited })).toEqual({ ok: false, id: null })
  const polluted = JSON.parse('{"jsonrpc":"2.0","method":"x","__proto__":{"id":1}}')
  expect(parseRpcRequest(polluted)).toEqual({
    ok: true,
    request: { id: undefined, method: 'x', params: undefined },
  })
})
