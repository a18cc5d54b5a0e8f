import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addMethod } from '../add-method.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'
import { methodOf } from '../method-of.ts'

export const check = defineDidRegistryCheck({
  id: 'D10',
  title: 'A secp256k1 key that is registered as a JWK resolves with crv secp256k1',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.resources-and-their-fields/verification-method-input.4',
    '2.resources-and-their-fields/verification-method-input.6',
    '2.resources-and-their-fields/verification-method-input.8',
  ],
  description:
    'publicKeyType tells the format of publicKey and not the curve: a registry that takes JsonWebKey2020 for P-256 publishes a key that verifies nothing.',
  sends: 'addVerificationMethod with publicKeyType JsonWebKey2020 and a hex-encoded secp256k1 JWK.',
  decides: 'publicKeyJwk has kty EC, crv secp256k1, and the x and y that were sent.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { d, ...jwk } = privateJwkFromHex(registry.createIdentity().privateKey)
    const publicKey = jwkAsHex(jwk)
    const vMethodId = await addMethod(registry, identity, {
      publicKeyType: 'JsonWebKey2020',
      publicKey,
    })
    const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
    await addUse(registry, identity, { vMethodId, ...validity })
    const document = await registry.requireDocument(identity.did)
    const { kty, crv, x, y } = methodOf(document, vMethodId).publicKeyJwk
    expectEqual('the key', { kty, crv, x, y }, { kty: 'EC', crv: 'secp256k1', x: jwk.x, y: jwk.y })
    return held('The JWK resolves with crv secp256k1 and the same coordinates')
  },
})
