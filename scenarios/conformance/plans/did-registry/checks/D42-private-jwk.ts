import { randomBytes } from 'node:crypto'
import { findRefusal } from '../../../classify-answer.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { createP256Jwk } from '../create-p256-jwk.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'

export const check = defineDidRegistryCheck({
  id: 'D42',
  title: 'A JWK with its private key is refused',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 7517, 9.2'],
  description:
    'It would stand on a public chain for ever. A mistake that a client makes once, and can’t take back.',
  sends: 'addVerificationMethod with a JWK that has the member d.',
  decides: 'HTTP 400.',
  async run({ registry }) {
    const { did, address: from, vMethodId } = registry.createIdentity()
    const jwk = { ...createP256Jwk(), d: randomBytes(32).toString('base64url') }
    const key = { publicKeyType: 'JsonWebKey2020', publicKey: jwkAsHex(jwk) }
    const body = { did, vMethodId, ...key, from }
    const answer = await registry.post('contract/addVerificationMethod', body)
    return findRefusal(answer, { what: 'A JWK with its private key', statuses: [400] })
  },
})
