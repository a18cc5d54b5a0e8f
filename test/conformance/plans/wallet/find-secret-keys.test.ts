import { expect, it } from 'vitest'
import { findSecretKeys } from '#conformance/plans/wallet/findings/message-findings.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (header: unknown, payload: unknown) =>
  `${encode(header)}.${encode(payload)}.c2lnbmF0dXJl`
const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: 'x' }
const privateJwk = { ...publicJwk, d: 'd' }

it.each<[string, string]>([
  ['in JSON', JSON.stringify({ proof: { keys: [privateJwk] } })],
  ['in the header of a JWT', JSON.stringify({ jwt: jwt({ alg: 'EdDSA', jwk: privateJwk }, {}) })],
  ['in a JWT in a form', new URLSearchParams({ vp_token: jwt({}, { privateJwk }) }).toString()],
  [
    'in a credential in a presentation in a form',
    new URLSearchParams({
      vp_token: jwt({}, { vp: { verifiableCredential: [jwt({}, { privateJwk })] } }),
    }).toString(),
  ],
  ['in JSON in a form', new URLSearchParams({ extra: JSON.stringify(privateJwk) }).toString()],
])('a private key %s is found', (_where, body) => {
  expect(findSecretKeys([body])).toEqual(['a JWK of OKP Ed25519'])
})

it('a symmetric key is found, without its value', () => {
  const body = JSON.stringify({ kty: 'oct', k: 'secret' })
  expect(findSecretKeys([body])).toEqual(['a JWK of oct'])
})

it('public keys, and members that are only called d, are none', () => {
  const bodies = [
    JSON.stringify({ jwk: publicJwk, d: 1, k: 2 }),
    new URLSearchParams({ vp_token: jwt({ jwk: publicJwk }, {}) }).toString(),
    'no.json.at-all',
    '',
  ]
  expect(findSecretKeys(bodies)).toEqual([])
})

it('a long run of letters takes linear time', () => {
  const create = (size: number) => ['a-'.repeat(size / 2)]
  expect(measureGrowth(create, findSecretKeys)).toBeLessThan(linearGrowth)
})
