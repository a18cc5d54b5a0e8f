import { describe, expect, it } from 'vitest'
import { callJson } from '#test/support/http.ts'
import { type RunningVerifier, startVerifier, verifierApiKey } from '#test/support/verifier.ts'

async function ask(verifier: RunningVerifier, body: object, headers: Record<string, string> = {}) {
  const answer = await callJson(`${verifier.baseUrl}/credentials/status`, {
    headers: { 'x-api-key': verifierApiKey, ...headers },
    json: body,
  })
  return [answer.status, answer.body.status ?? answer.body.error]
}

const valid = [200, 'valid']
const unknown = [503, 'status_unavailable']

describe('POST /credentials/status', () => {
  it('reports the current value of the status list', async () => {
    const verifier = await startVerifier()
    const { vc: credential } = verifier.world.credentialPayload()
    expect(await ask(verifier, { credential })).toEqual(valid)
    verifier.world.publishStatusList([6, 8])
    expect(await ask(verifier, { credential })).toEqual(valid)
    verifier.world.publishStatusList([7])
    expect(await ask(verifier, { credential })).toEqual([200, 'revoked'])
  })

  it('reports a credential past validUntil as expired', async () => {
    const verifier = await startVerifier()
    const { vc } = verifier.world.credentialPayload()
    const validUntil = new Date((verifier.world.now - 1) * 1000).toISOString()
    expect(await ask(verifier, { credential: { ...vc, validUntil } })).toEqual([200, 'expired'])
  })

  it('sends no request for a credential without a status, or if status is not checked', async () => {
    const verifier = await startVerifier()
    const { vc } = verifier.world.credentialPayload()
    const { credentialStatus: _, ...credential } = vc
    expect(await ask(verifier, { credential })).toEqual(valid)
    expect(verifier.servers.requests).toEqual([])
    const lax = await startVerifier((config) => ({ ...config, checkCredentialStatus: false }))
    lax.world.publishStatusList([7])
    expect(await ask(lax, { credential: lax.world.credentialPayload().vc })).toEqual(valid)
    expect(lax.servers.requests).toEqual([])
  })

  it('accepts a list only from the credential issuer: no other issuer can revoke it', async () => {
    const verifier = await startVerifier()
    const { vc: credential } = verifier.world.credentialPayload()
    verifier.world.publishStatusList([7], verifier.world.tao)
    expect(await ask(verifier, { credential })).toEqual(unknown)
  })

  it.each([
    ['no list is there', { statusListCredential: 'https://issuer.example/status-lists/9' }],
    ['the list is elsewhere', { statusListCredential: 'https://lists.example/1' }],
    ['the index is beyond its end', { statusListIndex: '99999999' }],
    ['the entry is unreadable', { type: 'SomeOtherStatus' }],
  ])('returns 503 if the status cannot be determined: %s', async (_name, change) => {
    const verifier = await startVerifier()
    const { vc } = verifier.world.credentialPayload()
    const credential = { ...vc, credentialStatus: { ...vc.credentialStatus, ...change } }
    expect(await ask(verifier, { credential })).toEqual(unknown)
  })

  it.each(['status-list-down', 'did-registry-down'] as const)(
    'returns 503 while %s',
    async (fault) => {
      const verifier = await startVerifier()
      const { vc: credential } = verifier.world.credentialPayload()
      verifier.runtime.activeFaults.add(fault)
      expect(await ask(verifier, { credential })).toEqual(unknown)
    },
  )

  it('requires the API key, and a credential', async () => {
    const verifier = await startVerifier()
    const { vc: credential } = verifier.world.credentialPayload()
    const wrongKey = { 'x-api-key': 'another' }
    expect(await ask(verifier, { credential }, wrongKey)).toEqual([401, 'invalid_api_key'])
    for (const body of [{}, { credential: 'x' }, { credential: null }, []]) {
      expect(await ask(verifier, body)).toEqual([400, 'invalid_request'])
    }
    for (const issuer of [undefined, null, 7, [], { id: 7 }]) {
      expect(await ask(verifier, { credential: { ...credential, issuer } })).toEqual(unknown)
    }
  })
})
