import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createConnectorClient } from '#services/issuer/adapters/connector-client.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'

const code = 'c0de-that-anybody-could-redeem-until-it-expires'

describe('the log entry for a Connector that fails', () => {
  it.each([
    ['answers an error that repeats the code', false],
    ['hangs up', true],
  ])('contains no code that could be redeemed if it %s', async (_, hangsUp) => {
    const server = createServer((request, response) => {
      if (hangsUp) return request.socket.destroy()
      response.writeHead(500).end(JSON.stringify({ preauth_code: code }))
    })
    const url = await listenForTest(server)
    const client = createConnectorClient({ name: 'default', url, apiKey: 'k' }, createTestRuntime())
    const error = await client.readOfferLink(code).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connector_error', status: 500 })
    const { detail, cause } = error as { detail: string; cause?: unknown }
    expect(detail).toContain('/credential-offer')
    expect(JSON.stringify([detail, cause])).not.toContain(code)
  })
})
