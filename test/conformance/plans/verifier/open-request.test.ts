import { expect, it } from 'vitest'
import { startSession } from '#conformance/plans/verifier/open-request.ts'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { startAnsweringServer } from '#test/support/servers.ts'

it.each([
  [404, 'returned HTTP 404'],
  [200, 'shows neither a link nor a QR code'],
])('says why a page with HTTP %d starts no session, the same each time', async (status, what) => {
  const { url } = await startAnsweringServer(() => ({ status }))
  const signal = AbortSignal.timeout(10_000)
  const httpAs = (caller: string) => createHttpClient({ caller, scenarioId: () => 'x', signal })
  const base = { httpAs } as Parameters<typeof startSession>[1]
  const request = { page: `${url}/login?state={random}` }
  await expect(startSession({ request }, base)).rejects.toThrow(
    `The session did not start: ${url}/login ${what}`,
  )
})
