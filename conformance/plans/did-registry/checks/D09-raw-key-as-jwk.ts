import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addMethod } from '../add-method.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { methodOf } from '../method-of.ts'

export const check = defineDidRegistryCheck({
  id: 'D09',
  title: 'A raw secp256k1 key resolves as JsonWebKey2020 with its coordinates',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.9',
    '2.resources-and-their-fields/did-document.2',
    '2.resources-and-their-fields/verification-method-input.5',
    '2.resources-and-their-fields/verification-method-input.7',
    '2.resources-and-their-fields/verification-method-input.8',
  ],
  description: 'Verifiers read publicKeyJwk and nothing else, however the key was registered.',
  sends:
    'addVerificationMethod with publicKeyType secp256k1 (0x04, X, Y), then a relationship for it.',
  decides: 'The method has the type JsonWebKey2020, crv secp256k1, and the key’s x and y.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { publicKey } = registry.createIdentity()
    const vMethodId = await addMethod(registry, identity, {
      publicKeyType: 'secp256k1',
      publicKey,
    })
    const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
    await addUse(registry, identity, { vMethodId, ...validity })
    const { type, publicKeyJwk } = methodOf(await registry.requireDocument(identity.did), vMethodId)
    expectEqual('type', type, 'JsonWebKey2020')
    const { crv, x, y } = publicKeyJwk
    const coordinates = publicKey.slice(4).match(/.{64}/g) ?? []
    const [expectedX, expectedY] = coordinates.map((hex) =>
      Buffer.from(hex, 'hex').toString('base64url'),
    )
    expectEqual('the key', { crv, x, y }, { crv: 'secp256k1', x: expectedX, y: expectedY })
    return held('The raw key resolves to a JWK with crv secp256k1 and the same coordinates')
  },
})
