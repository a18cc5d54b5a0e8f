import { describe, expect, it } from 'vitest'
import { summarizeDialect } from '#conformance/kit/plan-results.ts'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { signJws } from '#core/crypto/jws.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'

const exchange = (parts: Partial<Hop>): Hop => ({
  id: 1,
  at: 0,
  durationMilliseconds: 1,
  from: 'kit',
  to: 'kit',
  kind: 'http',
  method: 'POST',
  url: 'https://counterpart.example/',
  status: 200,
  ...parts,
})
const summary = (sender: string, ...exchanges: Partial<Hop>[]) =>
  summarizeDialect(exchanges.map(exchange), sender).map(({ kind, messages, members }) => ({
    kind,
    messages,
    paths: members.map(({ path }) => path),
    departures: members.flatMap(({ path, documents }) => (documents === undefined ? [] : [path])),
  }))

describe('the dialect of a wallet', () => {
  const wallet = 'wallet under test'
  const proof = { proof_type: 'jwt', jwt: 'e30.e30.e30' }

  it('is told once for each kind of message that it sent, departures with what is documented', () => {
    const documented = { format: 'jwt_vc_json', types: ['VerifiableCredential'], proof }
    const final = { credential_configuration_id: 'x', proofs: { jwt: [proof.jwt] } }
    expect(
      summary(
        wallet,
        { from: wallet, requestBody: documented },
        { from: wallet, requestBody: documented },
        { from: wallet, requestBody: final },
        { from: wallet, requestBody: { vp_token: { query: ['e30.e30.e30'] } } },
      ),
    ).toEqual([
      {
        kind: 'credential-request',
        messages: 3,
        paths: ['format', 'types', 'proof', 'credential_configuration_id', 'proofs'],
        departures: ['credential_configuration_id', 'proofs'],
      },
      { kind: 'presentation-response', messages: 1, paths: ['vp_token'], departures: ['vp_token'] },
    ])
  })

  it('is not that of what the kit sent it', () => {
    const offer = { credential_issuer: 'https://issuer.example', credentials: ['x'] }
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
    expect(summary(wallet, { to: wallet, requestBody: { link } })).toEqual([])
    expect(summary(wallet, { from: wallet, responseBody: offer })).toEqual([])
  })
})

describe('the dialect of an issuer', () => {
  const issuer = 'issuer under test'
  const offer = { credential_issuer: 'https://issuer.example', credential_configuration_ids: ['x'] }

  it('is found in links, at addresses and in answers, and not in refusals', () => {
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
    const request = { format: 'jwt_vc_json', proof: { proof_type: 'jwt', jwt: 'e30.e30.e30' } }
    const found = summary(
      issuer,
      { to: issuer, responseBody: { offer_uri: link } },
      { to: issuer, responseBody: offer },
      { to: issuer, requestBody: request, responseBody: { credentials: [{ credential: 'x' }] } },
      { to: issuer, requestBody: request, status: 400, responseBody: { error: 'invalid_proof' } },
    )
    expect(found.map(({ kind, messages }) => [kind, messages])).toEqual([
      ['credential-offer', 2],
      ['credential-response', 1],
    ])
    expect(found[0]?.departures).toEqual(['credential_configuration_ids'])
  })
})

describe('the dialect of a verifier', () => {
  const verifier = 'verifier under test'

  it('is found in signed requests', () => {
    const { privateKey } = createHolder()
    const payload = { response_type: 'vp_token', presentation_definition: { id: 'x' } }
    const jwt = signJws({ header: { alg: 'ES256K' }, payload, privateKey })
    expect(summary(verifier, { to: verifier, responseBody: jwt })).toMatchObject([
      { kind: 'authorization-request', messages: 1, departures: ['presentation_definition'] },
    ])
    expect(summary(verifier, { to: verifier, responseBody: 'e30.e30.x' })).toEqual([])
  })
})
