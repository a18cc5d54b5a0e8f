import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { createP256Jwk } from '../create-p256-jwk.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'

export const check = defineDidRegistryCheck({
  id: 'D41',
  title: 'A JsonWebKey2020 that holds no public key of a known curve is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/verification-method-input.6', '2.errors/did-registry.4'],
  description: 'What is registered can’t be changed any more, and everybody resolves it.',
  sends: 'addVerificationMethod with JWKs without y, of an unknown curve, and with what is no JWK.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const { did, address: from, vMethodId } = registry.createIdentity()
    const { y, ...withoutY } = createP256Jwk()
    const send = (publicKey: string) => () =>
      registry.post('contract/addVerificationMethod', {
        did,
        vMethodId,
        publicKeyType: 'JsonWebKey2020',
        publicKey,
        from,
      })
    return findEachRefused(
      {
        'a JWK without y': send(jwkAsHex(withoutY)),
        'a JWK of an unknown curve': send(jwkAsHex({ ...withoutY, y, crv: 'P-255' })),
        'a JWK without kty': send(jwkAsHex({ crv: 'P-256', x: withoutY.x, y })),
        'a list in place of a JWK': send(jwkAsHex([])),
        'a JWK that is not hex-encoded': send(JSON.stringify({ ...withoutY, y })),
        'hex that is no JSON': send('0x7b7b'),
      },
      {
        statuses: [400],
        control: send(jwkAsHex({ ...withoutY, y })),
      },
    )
  },
})
