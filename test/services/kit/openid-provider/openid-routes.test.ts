import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#kit/create-app.ts'
import { postAsGet } from '#kit/openid-provider/openid-routes.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

describe('POST at an endpoint for browsers', () => {
  let system: RunningService
  beforeAll(async () => {
    system = await startService(async (baseUrl) => ({
      app: createApp({
        name: 'provider',
        title: 'Provider',
        version: '1.0.0',
        description: 'Has an authorization endpoint.',
        baseUrl,
        runtime: createTestRuntime(),
        dependencies: {},
        routes: [postAsGet('/authorize')],
      }),
      close: async () => {},
    }))
  })
  afterAll(() => system.stop())

  const post = async (body: string) => {
    const answer = await fetch(`${system.baseUrl}/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      redirect: 'manual',
    })
    return { status: answer.status, location: answer.headers.get('location'), answer }
  }

  it('redirects to GET with the same parameters, also repeated ones', async () => {
    const { status, location } = await post('scope=openid&state=a%20b&state=ñ')
    expect([status, location]).toEqual([303, '/authorize?scope=openid&state=a+b&state=%C3%B1'])
  })

  it('rejects a form that does not fit into a URL, encoded or not', async () => {
    const length = 8000 - '/authorize?state='.length
    const longest = await post(`state=${'a'.repeat(length)}`)
    expect([longest.status, longest.location]).toEqual([303, expect.stringMatching(/^.{8000}$/)])
    for (const state of ['a'.repeat(length + 1), 'é'.repeat(3900), 'a'.repeat(9000)]) {
      const { status, answer } = await post(`state=${state}`)
      expect([status, await answer.json()]).toEqual([
        413,
        expect.objectContaining({ error: 'payload_too_large' }),
      ])
    }
  })
})
