import { privateJwkFromHex, publicKeyHexOf } from '#core/crypto/jwk.ts'
import type { DidDocument, VerificationMethod } from '#core/did/did-document.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, endCheck, held } from '../../../kit/check.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, addUse, createP256Jwk, isListed, jwkAsHex } from '../operations.ts'

/** The first one has a zero byte at the start of X, the second one at that of Y. */
const zeroKeys = ['99', '7a'].map((scalar) =>
  publicKeyHexOf(privateJwkFromHex(`0x${scalar.padStart(64, '0')}`)),
)

export const checks = defineChecks<DidRegistryContext>({
  'D09-raw-key-as-jwk': {
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
    description: 'Verifiers read only publicKeyJwk, regardless of how the key was registered.',
    sends:
      'addVerificationMethod with publicKeyType secp256k1 (0x04, X, Y), also with an X or Y that begins with a zero byte, then a relationship for it.',
    decides: 'The method has the type JsonWebKey2020, crv secp256k1, and the key’s x and y.',
    fix: 'Build publicKeyJwk from the raw key: kty EC, crv secp256k1, and X and Y of 32 bytes each in base64url. Set type to JsonWebKey2020.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      for (const publicKey of [registry.createIdentity().publicKey, ...zeroKeys]) {
        const vMethodId = await addMethod(registry, identity, {
          publicKeyType: 'secp256k1',
          publicKey,
        })
        const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
        await addUse(registry, identity, { vMethodId, ...validity })
        const { type, publicKeyJwk } = methodOf(
          await registry.requireDocument(identity.did),
          vMethodId,
        )
        expectEqual('type', type, 'JsonWebKey2020')
        const { crv, x, y } = publicKeyJwk
        const coordinates = publicKey.slice(4).match(/.{64}/g) ?? []
        const [expectedX, expectedY] = coordinates.map((hex) =>
          Buffer.from(hex, 'hex').toString('base64url'),
        )
        expectEqual('the key', { crv, x, y }, { crv: 'secp256k1', x: expectedX, y: expectedY })
      }
      return held('The raw key resolves to a JWK with crv secp256k1 and the same coordinates')
    },
  },
  'D10-secp256k1-jwk': {
    title: 'A secp256k1 key that is registered as a JWK resolves with crv secp256k1',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/verification-method-input.4',
      '2.resources-and-their-fields/verification-method-input.6',
      '2.resources-and-their-fields/verification-method-input.8',
    ],
    description:
      'publicKeyType is the format of publicKey and not the curve: a registry that assumes P-256 for JsonWebKey2020 publishes a key that never verifies.',
    sends:
      'addVerificationMethod with publicKeyType JsonWebKey2020 and a hex-encoded secp256k1 JWK.',
    decides: 'publicKeyJwk has kty EC, crv secp256k1, and the given x and y.',
    fix: 'Return the registered JWK as publicKeyJwk, with its own crv. Do not derive the curve from publicKeyType JsonWebKey2020.',
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
      expectEqual(
        'the key',
        { kty, crv, x, y },
        { kty: 'EC', crv: 'secp256k1', x: jwk.x, y: jwk.y },
      )
      return held('The JWK resolves with crv secp256k1 and the same coordinates')
    },
  },
  'D11-jwk-as-it-is': {
    title: 'A P-256 key that is registered as a JWK is returned unchanged',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/verification-method-input.6',
      '2.resources-and-their-fields/verification-method-input.7',
    ],
    description: 'Members such as alg show verifiers what the key is for.',
    sends: 'addVerificationMethod with a hex-encoded P-256 JWK that contains alg ES256 and a kid.',
    decides: 'publicKeyJwk has exactly the given members.',
    fix: 'Return all members of the registered JWK as publicKeyJwk, such as alg and kid, and no others.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const jwk = { ...createP256Jwk(), kid: 'key of the conformance kit' }
      const vMethodId = await addMethod(registry, identity, {
        publicKeyType: 'JsonWebKey2020',
        publicKey: jwkAsHex(jwk),
      })
      const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
      await addUse(registry, identity, { vMethodId, ...validity })
      const document = await registry.requireDocument(identity.did)
      expectEqual('publicKeyJwk', methodOf(document, vMethodId).publicKeyJwk, jwk)
      return held('The JWK is returned with all of its members')
    },
  },
  'D12-relationship': {
    title: 'addVerificationRelationship lists the method in assertionMethod by its full id',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.13',
      '2.resources-and-their-fields/did-document.1',
      '2.states-and-transitions.3',
    ],
    description:
      'A verifier looks for the kid of a credential, a DID URL, in assertionMethod; it does not find an id in a different form.',
    sends: 'addVerificationRelationship for assertionMethod and the control key.',
    decides: 'assertionMethod contains <did>#<vMethodId>, which is also the id of the method.',
    fix: 'When addVerificationRelationship with assertionMethod is mined, add <did>#<vMethodId> to assertionMethod. Use the same id in verificationMethod.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      await addUse(registry, identity, { notBefore: now() - 60, notAfter: now() + 3600 })
      const document = await registry.requireDocument(did)
      const id = `${did}#${vMethodId}`
      expectEqual('assertionMethod', document.assertionMethod, [id])
      expectEqual('id of the method', methodOf(document, vMethodId).id, id)
      return held('assertionMethod and the method have the same DID URL')
    },
  },
  'D13-no-use-without-relationship': {
    title: 'A method without a relationship is not valid for assertions',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.3'],
    description:
      'A key that was only registered has no purpose yet; if it were listed, its owner could sign credentials.',
    sends: 'addVerificationMethod, without any relationship for the method.',
    decides: 'assertionMethod does not contain it.',
    fix: 'Add a key to assertionMethod only for addVerificationRelationship with assertionMethod. addVerificationMethod alone gives it no use.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const { publicKey } = registry.createIdentity()
      const vMethodId = await addMethod(registry, identity, {
        publicKeyType: 'secp256k1',
        publicKey,
      })
      const isUsable = await isListed(registry, { did, vMethodId })
      expectEqual('whether assertionMethod names the method', isUsable, false)
      return held('The method is not in assertionMethod')
    },
  },
})

/** The verification method of a vMethodId, regardless of the form of its id. */
function methodOf(document: DidDocument, vMethodId: string): VerificationMethod {
  const found = document.verificationMethod.find(({ id }) => id.endsWith(vMethodId))
  if (found !== undefined) return found
  const actual = document.verificationMethod.map(({ id }) => id)
  endCheck(
    broken('The verification method is not in the document', { expected: vMethodId, actual }),
  )
}
