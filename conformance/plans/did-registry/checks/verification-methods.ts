import { randomBytes } from 'node:crypto'
import { privateJwkFromHex, publicKeyHexOf } from '#core/crypto/jwk.ts'
import type { DidDocument, VerificationMethod } from '#core/did/did-document.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asUnusual } from '../../../kit/classify-answer.ts'
import type { FreshIdentity } from '../../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, addUse, buildUpdate, createP256Jwk, isListed, jwkAsHex } from '../operations.ts'

/** The first one has a zero byte at the start of X, the second one at that of Y. */
const zeroKeys = ['99', '7a'].map((scalar) =>
  publicKeyHexOf(privateJwkFromHex(`0x${scalar.padStart(64, '0')}`)),
)

/** The coordinates of a raw key as members of a JWK. */
function coordinatesOf(publicKey: string) {
  const words = publicKey.slice(4).match(/.{64}/g) ?? []
  const [x, y] = words.map((hex) => Buffer.from(hex, 'hex').toString('base64url'))
  return { crv: 'secp256k1', x, y }
}

/** A vMethodId whose bytes begin and end with zeros. */
const withZeros = () =>
  Buffer.concat([Buffer.alloc(2), randomBytes(28), Buffer.alloc(2)]).toString('base64url')

/** How many keys a document must be able to list. */
const manyKeys = 15

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
    decides:
      'The method has the type JsonWebKey2020, crv secp256k1, and the key’s x and y. alg is ES256K or missing.',
    fix: 'Build publicKeyJwk from the raw key: kty EC, crv secp256k1, and X and Y of 32 bytes each in base64url. Set type to JsonWebKey2020.',
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      for (const publicKey of [registry.createIdentity().publicKey, ...zeroKeys]) {
        const method = { publicKeyType: 'secp256k1', publicKey } as const
        const vMethodId = await addMethod(registry, identity, method)
        const { type, publicKeyJwk } = await resolveWithUse(context, identity, vMethodId)
        expectEqual('type', type, 'JsonWebKey2020')
        const { crv, x, y } = publicKeyJwk
        expectEqual('the key', { crv, x, y }, coordinatesOf(publicKey))
        // With the algorithm of another curve, libraries reject the key (RFC 8812, section 3.2).
        expectEqual('alg of the key, if it has one', publicKeyJwk.alg ?? 'ES256K', 'ES256K')
      }
      return held('The raw key resolves to a JWK with crv secp256k1 and the same coordinates')
    },
  },
  'D10-secp256k1-jwk': {
    title: 'A secp256k1 key that is registered as a JWK resolves with crv secp256k1, unchanged',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/verification-method-input.4',
      '2.resources-and-their-fields/verification-method-input.6',
      '2.resources-and-their-fields/verification-method-input.7',
      '2.resources-and-their-fields/verification-method-input.8',
    ],
    description:
      'publicKeyType is the format of publicKey and not the curve: a registry that assumes P-256 for JsonWebKey2020 publishes a key that never verifies.',
    sends:
      'addVerificationMethod with publicKeyType JsonWebKey2020 and a hex-encoded secp256k1 JWK, then with a JWK that also has alg, use and kid.',
    decides:
      'publicKeyJwk has kty EC, crv secp256k1, and the given x and y; the second JWK has exactly the given members. The profile names only these four for secp256k1: rejecting the second JWK is a WARN.',
    fix: 'Return the registered JWK as publicKeyJwk, with its own crv and all of its members. Do not derive the curve from publicKeyType JsonWebKey2020.',
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      const createJwk = () => {
        const { d, ...jwk } = privateJwkFromHex(registry.createIdentity().privateKey)
        return jwk
      }
      const jwk = createJwk()
      const publicKeyType = 'JsonWebKey2020'
      const method = { publicKeyType, publicKey: jwkAsHex(jwk) } as const
      const vMethodId = await addMethod(registry, identity, method)
      const { kty, crv, x, y } = (await resolveWithUse(context, identity, vMethodId)).publicKeyJwk
      expectEqual(
        'the key',
        { kty, crv, x, y },
        { kty: 'EC', crv: 'secp256k1', x: jwk.x, y: jwk.y },
      )
      const full = { ...createJwk(), alg: 'ES256K', use: 'sig', kid: 'key of the conformance kit' }
      const { did } = identity
      const { vMethodId: fullId } = registry.createIdentity()
      const body = { did, vMethodId: fullId, publicKeyType, publicKey: jwkAsHex(full) }
      const attempt = registry.attempt('addVerificationMethod', body, identity)
      const { isApplied, observed } = await asUnusual(attempt)
      if (!isApplied) {
        return broken(`A JWK with alg, use and kid ${observed}`, { level: 'practice' })
      }
      const { publicKeyJwk } = await resolveWithUse(context, identity, fullId)
      expectEqual('publicKeyJwk of the JWK with alg, use and kid', publicKeyJwk, full)
      return held('Both JWKs resolve with crv secp256k1 and the given members')
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
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      const jwk = { ...createP256Jwk(), kid: 'key of the conformance kit' }
      const vMethodId = await addMethod(registry, identity, {
        publicKeyType: 'JsonWebKey2020',
        publicKey: jwkAsHex(jwk),
      })
      const { publicKeyJwk } = await resolveWithUse(context, identity, vMethodId)
      expectEqual('publicKeyJwk', publicKeyJwk, jwk)
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
    sends:
      'addVerificationRelationship for assertionMethod and the control key; then for a second key, whose vMethodId begins and ends with zero bytes.',
    decides: 'assertionMethod contains <did>#<vMethodId>, which is also the id of the method.',
    fix: 'When addVerificationRelationship with assertionMethod is mined, add <did>#<vMethodId> to assertionMethod. Use the same id in verificationMethod, with all 32 bytes of vMethodId.',
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      const { did } = identity
      const idOf = (vMethodId: string) => `${did}#${vMethodId}`
      const method = await resolveWithUse(context, identity, identity.vMethodId)
      expectEqual('id of the method', method.id, idOf(identity.vMethodId))
      const { publicKey } = registry.createIdentity()
      const key = { vMethodId: withZeros(), publicKeyType: 'secp256k1', publicKey } as const
      const vMethodId = await addMethod(registry, identity, key)
      const second = await resolveWithUse(context, identity, vMethodId)
      expectEqual('id of the method with zero bytes', second.id, idOf(vMethodId))
      const { assertionMethod } = await registry.requireDocument(did)
      const expected = [identity.vMethodId, vMethodId].map(idOf)
      expectEqual('assertionMethod', new Set(assertionMethod), new Set(expected))
      return held('assertionMethod and both methods have the same DID URLs')
    },
  },
  'D13-no-use-without-relationship': {
    title: 'A method without a relationship is not valid for assertions',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.3'],
    description:
      'A key that was only registered has no purpose yet; if it were listed, its owner could sign credentials.',
    sends: 'addVerificationMethod of a raw key and of a JWK, without any relationship for them.',
    decides: 'assertionMethod contains neither.',
    fix: 'Add a key to assertionMethod only for addVerificationRelationship with assertionMethod. addVerificationMethod alone gives it no use.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const { publicKey } = registry.createIdentity()
      const keys = { secp256k1: publicKey, JsonWebKey2020: jwkAsHex(createP256Jwk()) } as const
      for (const publicKeyType of ['secp256k1', 'JsonWebKey2020'] as const) {
        const method = { publicKeyType, publicKey: keys[publicKeyType] }
        const vMethodId = await addMethod(registry, identity, method)
        const isUsable = await isListed(registry, { did, vMethodId })
        expectEqual(`whether assertionMethod names a ${publicKeyType} method`, isUsable, false)
      }
      return held('The methods are not in assertionMethod')
    },
  },
  'D135-many-keys': {
    title: `A document lists each of ${manyKeys} keys`,
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.9',
      '2.resources-and-their-fields/did-document.1',
      '2.resources-and-their-fields/did-document.2',
      '2.resources-and-their-fields/unsigned-transaction.6',
    ],
    description:
      'An organization has a key for each of its systems, and keeps the old ones. Signatures of a key that the document omits are not valid.',
    sends: `addVerificationMethod for ${manyKeys - 1} additional keys of a DID, then a relationship for its first and its last key.`,
    decides:
      'Both keys with a relationship are in verificationMethod, each key there has its own coordinates, and assertionMethod contains the two. The nonce after ten transactions is 10, in hex. A registry that rejects an additional key, or omits keys without a relationship, only gets a warning.',
    fix: 'Return all keys of the DID in verificationMethod, each with its own id and publicKeyJwk. Do not limit their number, and read all pages of your storage.',
    // Many transactions one after the other, on a chain with a block in 15 seconds.
    timeLimitMilliseconds: 660_000,
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      const { did } = identity
      const keys = [identity]
      while (keys.length < manyKeys) {
        // The first nonce that has two digits in decimal and one in hex.
        if (keys.length === 11) {
          const { nonce } = await buildUpdate(registry, identity)
          expectEqual('the nonce after ten transactions of the account', Number(nonce), 10)
        }
        const key = registry.createIdentity()
        const { vMethodId, publicKey } = key
        const body = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
        const attempt = registry.attempt('addVerificationMethod', body, identity)
        const { isApplied, observed } = await asUnusual(attempt)
        if (!isApplied) {
          const reason = `A DID with ${keys.length} keys: addVerificationMethod ${observed}`
          // The first key of all is for D09.
          return keys.length === 1 ? inconclusive(reason) : broken(reason, { level: 'practice' })
        }
        keys.push(key)
      }
      const used = [identity, keys.at(-1) ?? identity]
      for (const { vMethodId } of used) await resolveWithUse(context, identity, vMethodId)
      const document = await registry.requireDocument(did)
      const ids = used.map(({ vMethodId }) => `${did}#${vMethodId}`)
      expectEqual('assertionMethod', new Set(document.assertionMethod), new Set(ids))
      const missing = keys.filter(({ vMethodId, publicKey }) => {
        const found = findMethod(document, vMethodId)
        if (found === undefined) return true
        const { crv, x, y } = found.publicKeyJwk
        expectEqual(`the key ${vMethodId}`, { crv, x, y }, coordinatesOf(publicKey))
        return false
      })
      if (missing.length > 0) {
        const reason = `verificationMethod does not contain ${missing.length} of ${manyKeys} keys`
        return broken(reason, { level: 'practice' })
      }
      return held(`The document contains all ${manyKeys} keys`)
    },
  },
})

/** Lets a key of an identity make assertions, and returns it as the document contains it then. */
async function resolveWithUse(
  { registry, now }: Pick<DidRegistryContext, 'registry' | 'now'>,
  identity: FreshIdentity,
  vMethodId: string,
): Promise<VerificationMethod> {
  await addUse(registry, identity, { vMethodId, notBefore: now() - 60, notAfter: now() + 3600 })
  return methodOf(await registry.requireDocument(identity.did), vMethodId)
}

const findMethod = (document: DidDocument, vMethodId: string) =>
  document.verificationMethod.find(({ id }) => id.endsWith(vMethodId))

/** The verification method of a vMethodId, regardless of the form of its id. */
function methodOf(document: DidDocument, vMethodId: string): VerificationMethod {
  const found = findMethod(document, vMethodId)
  if (found !== undefined) return found
  const actual = document.verificationMethod.map(({ id }) => id)
  endCheck(
    broken('The verification method is not in the document', { expected: vMethodId, actual }),
  )
}
