import { randomBytes } from 'node:crypto'
import { findEachRefused } from '../../registries/find-each-refused.ts'
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
    const jwk = createP256Jwk()
    const send = (key: object) => () =>
      registry.post('contract/addVerificationMethod', {
        did,
        vMethodId,
        publicKeyType: 'JsonWebKey2020',
        publicKey: jwkAsHex(key),
        from,
      })
    const d = randomBytes(32).toString('base64url')
    return findEachRefused(
      { 'a JWK with its private key': send({ ...jwk, d }) },
      { statuses: [400], control: send(jwk) },
    )
  },
})
