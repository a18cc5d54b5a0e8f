import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createDid, didOfProof } from '#core/did/did-proof.ts'
import { toHex } from '#core/ethereum/account.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import {
  createFreshIdentity,
  type FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { requireVerdict } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, addUse, createP256Jwk, jwkAsHex, prepareBodies } from '../operations.ts'

type Body = Readonly<Record<string, unknown>>

const upper = (value: unknown) => `0x${String(value).slice(2).toUpperCase()}`

/** Texts of a JSON object that every parser reads as the same object. */
const spellings: Readonly<Record<string, (body: Body) => string>> = {
  'members in another order': (body) =>
    JSON.stringify(Object.fromEntries(Object.entries(body).reverse())),
  'spaces and line breaks': (body) => `\r\n ${JSON.stringify(body, null, '\t')} \n`,
  'escaped letters in names': (body) =>
    JSON.stringify(body).replace('"from":', '"\\u0066rom" : ').replace('"did":', '"di\\u0064":'),
  'escaped characters in values': (body) => {
    const members = Object.entries(body).map(
      ([name, value]) =>
        `${JSON.stringify(name)}:${JSON.stringify(value).replaceAll(':', '\\u003a')}`,
    )
    return `{${members.join(',')}}`
  },
}

/** Other spellings of hexadecimal members. */
const hexSpellings: Readonly<Record<string, (body: Body) => string>> = {
  'upper case in publicKey': (body) =>
    JSON.stringify({ ...body, publicKey: upper(body.publicKey) }),
  'lower case in from': (body) =>
    JSON.stringify({ ...body, from: String(body.from).toLowerCase() }),
  'upper case in from': (body) => JSON.stringify({ ...body, from: upper(body.from) }),
}

const proofSpelling = {
  'upper case in proof': (body: Body) => JSON.stringify({ ...body, proof: upper(body.proof) }),
}

/** Values that are also names of the body, in either order. */
const valuesLikeNames = (body: Body) =>
  ['did', 'from', 'alsoKnownAs'].flatMap((alsoKnownAs) => {
    const changed = { ...body, alsoKnownAs }
    return [changed, Object.fromEntries(Object.entries(changed).reverse())]
  })

/** Unknown members that contain a name twice, or a name of the body, but no object has one twice. */
const nestedNames = [{ did: 'y' }, [{ y: 1 }, { y: 2 }], { y: { from: 1 } }]

/** Characters with a meaning in JSON. */
const trickyText = 'urn:x:"a",{"did":"b"},[{]}\\,\\\\"\\'

/** A new identity whose proof signs the key in its form with the leading 0x04. */
function withOtherProof(identity: FreshIdentity, { environment }: DidRegistryContext) {
  const { publicKey, privateKey } = identity
  const digest = keccak_256(Buffer.from(publicKey.slice(2), 'hex'))
  const key = Buffer.from(privateKey.slice(2), 'hex')
  const signed = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const rs = Buffer.from(signed.subarray(1)).toString('hex')
  const proof = `0x${rs}${(27 + (signed[0] ?? 0)).toString(16)}`
  return { ...identity, proof, did: didOfProof(proof, environment) }
}

/**
 * An identity whose identifier begins with a zero byte: one of 256 has it. Only the signature of
 * each key is computed, with the fast library, so that the search takes a fraction of a second.
 */
function withLeadingZeros(environment: DidEnvironment): FreshIdentity {
  for (;;) {
    const key = randomBytes(32)
    const point = pointFromScalar(key, false)
    if (point === null) continue
    const { signature } = signRecoverable(keccak_256(point.subarray(1)), key)
    // The identifier is the last 19 bytes of r, s and v.
    if (signature.at(-18) !== 0) continue
    const privateKey = toHex(key)
    return { ...createDid(privateKey, environment), privateKey }
  }
}

/** An identity whose identifier begins, behind the zero byte, with the lowest digit but zero. */
function withLowestDigit(environment: DidEnvironment): FreshIdentity {
  for (;;) {
    const identity = createFreshIdentity(environment)
    if (identity.did.includes(':z12')) return identity
  }
}

export const checks = defineChecks<DidRegistryContext>({
  'D120-equal-requests': {
    title: 'Requests that mean the same build the same call',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.9', '2.endpoints/did-registry.3'],
    clauses: ['RFC 8259, 4', 'RFC 9110, 8.3.1'],
    description:
      'JSON libraries and signers differ in order, spaces, escapes and the case of hex. Clients that use another one must not be locked out.',
    sends:
      'addVerificationMethod and updateAlsoKnownAs in several spellings of JSON, hex in upper case and lower case, names of members as a value or inside an unknown member, and a charset or upper case in Content-Type.',
    decides:
      'The data of each unsigned transaction is that of the plain request; a name as a value is accepted. A registry that rejects unknown members passes as well.',
    fix: 'Parse the body as JSON by RFC 8259, including escapes in names, and read hex digits and media types in either case.',
    async run(context) {
      const { registry } = context
      const { bodies } = await prepareBodies(context)
      const { updateAlsoKnownAs = {}, addVerificationMethod = {}, insertDidDocument = {} } = bodies
      const alias = { ...updateAlsoKnownAs, alsoKnownAs: trickyText }
      const publicKey = jwkAsHex(createP256Jwk())
      const jwk = { ...addVerificationMethod, publicKeyType: 'JsonWebKey2020', publicKey }
      const cases = [
        ['updateAlsoKnownAs', alias, spellings],
        ['addVerificationMethod', addVerificationMethod, hexSpellings],
        ['addVerificationMethod', jwk, hexSpellings],
        ['insertDidDocument', insertDidDocument, { ...hexSpellings, ...proofSpelling }],
      ] as const
      let compared = 0
      await requireEach(cases, async ([operation, body, others]) => {
        const read = async (what: string, text: string) =>
          requireJson(await registry.post(`contract/${operation}`, text), what).data
        const plain = read(`A plain ${operation}`, JSON.stringify(body)).then((data) =>
          expectMatch('its data', data, /^0x[0-9a-f]+$/i),
        )
        const expected = await asPremise(`a plain ${operation} (see D02)`, plain)
        await requireEach(Object.entries(others), async ([what, spell]) => {
          const actual = await read(`${operation} with ${what}`, spell(body))
          expectEqual(`data of ${operation} with ${what}`, actual, expected)
          compared += 1
        })
      })
      await requireEach(['application/json; charset=utf-8', 'Application/JSON'], async (type) => {
        const headers = { 'content-type': type }
        const what = `updateAlsoKnownAs with the content type ${type}`
        const answer = await registry.post('contract/updateAlsoKnownAs', alias, headers)
        expectMatch(`data of ${what}`, requireJson(answer, what).data, /^0x[0-9a-f]+$/i)
        const isJson = /^application\/json\b/i
        expectMatch(`content type of the response to ${what}`, answer.contentType, isJson)
      })
      await requireEach(valuesLikeNames(updateAlsoKnownAs), async (body) => {
        const value = String(body.alsoKnownAs)
        const what = `updateAlsoKnownAs with the name ${value} as alsoKnownAs`
        const { data } = requireJson(await registry.post('contract/updateAlsoKnownAs', body), what)
        const hex = Buffer.from(value).toString('hex')
        expectMatch(`data of ${what}`, data, new RegExp(`^0x[0-9a-f]*${hex}`, 'i'))
      })
      const withUnknown = (x: unknown) =>
        registry.post('contract/updateAlsoKnownAs', { ...updateAlsoKnownAs, x })
      const unknown = requireVerdict(await withUnknown({ y: 1 }))
      const nested = classifyStatus(unknown.status) === 'accepted' ? nestedNames : []
      await requireEach(nested, async (x) => {
        const what = `updateAlsoKnownAs with the unknown member ${JSON.stringify({ x })}`
        const { data } = requireJson(await withUnknown(x), what)
        const { data: expected } = requireJson(unknown, 'updateAlsoKnownAs with an unknown member')
        expectEqual(`data of ${what}`, data, expected)
      })
      return held(`${compared} spellings built the same calls`)
    },
  },
  'D121-other-curves': {
    title: 'EC keys of the curves P-384 and P-521 are registered and returned unchanged',
    level: 'practice',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/verification-method-input.6',
      '2.resources-and-their-fields/verification-method-input.7',
    ],
    description: 'A JWK may have any valid curve: the registry stores it, verifiers evaluate it.',
    sends: 'addVerificationMethod with JWKs of P-384 and P-521, and a relationship for each.',
    decides: 'publicKeyJwk has exactly the given members.',
    fix: 'Accept every EC JWK whose x and y are a point of the curve in crv, and return it unchanged.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const owner = await registry.register()
      return findEach(['P-384', 'P-521'], async (namedCurve) => {
        const { publicKey: key } = generateKeyPairSync('ec', { namedCurve })
        const jwk = key.export({ format: 'jwk' })
        const publicKeyType = 'JsonWebKey2020'
        const method = { publicKeyType, publicKey: jwkAsHex(jwk) } as const
        const vMethodId = await addMethod(registry, owner, method)
        await addUse(registry, owner, {
          vMethodId,
          notBefore: now() - 60,
          notAfter: now() + 3600,
        })
        const { verificationMethod } = await registry.requireDocument(owner.did)
        const found = verificationMethod.find(({ id }) => id.endsWith(vMethodId))
        expectEqual(`publicKeyJwk of ${namedCurve}`, found?.publicKeyJwk, jwk)
        return held(`The key of ${namedCurve} is returned unchanged`)
      })
    },
  },
  'D122-proofs-of-the-tool': {
    title: 'Each proof of the generation tool registers its DID',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.endpoints/did-registry.17', '2.endpoints/did-registry.20'],
    description:
      'One of 256 DIDs has a zero byte at the beginning of its identifier, one of 47 begins with the lowest digit 2, and the tool may sign the key with or without 0x04.',
    sends:
      'insertFirstDidDocument for a DID with such a zero byte, for a DID that begins with the digit 2, and with a proof over the key with 0x04; then one with the high s of a proof.',
    decides:
      'The first three DIDs resolve, and the fourth does not. DID and proof follow an assumption of the kit, so anything else is a warning.',
    fix: 'Encode leading zero bytes of the identifier as the digit 1 and drop no other digit, accept a proof over the key in either form, and reject a proof with a high s.',
    needs: ['onboarding-node'],
    async run(context) {
      const { registry, environment } = context
      await registry.register()
      const cases = {
        'a zero byte at the beginning': withLeadingZeros(environment),
        'the digit 2 at the beginning': withLowestDigit(environment),
        'a proof over the key with 0x04': withOtherProof(registry.createIdentity(), context),
      }
      await requireEach(Object.entries(cases), async ([what, identity]) => {
        const body = registry.firstDocumentOf(identity)
        const node = registry.onboardingNode
        const { isApplied, observed } = await registry.attempt('insertFirstDidDocument', body, node)
        if (!isApplied) return broken(`insertFirstDidDocument with ${what} ${observed}`)
        const { id } = await registry.requireDocument(identity.did)
        expectEqual(`id of the DID with ${what}`, id, identity.did)
      })
      const identity = registry.createIdentity()
      const proof = withHighS(identity.proof)
      const forged = { ...identity, proof, did: didOfProof(proof, environment) }
      const { isApplied, observed } = await registry.attempt(
        'insertFirstDidDocument',
        registry.firstDocumentOf(forged),
        registry.onboardingNode,
      )
      if (isApplied) {
        endCheck(broken(`insertFirstDidDocument with the high s of a proof ${observed}`))
      }
      return (await registry.resolve(forged.did)) === undefined
        ? held('Both forms of a proof register their DIDs, and the high s does not')
        : inconclusive('The DID of a rejected registration resolves')
    },
  },
})

/** The other signature with the same signer: the order less s, and the other parity. */
function withHighS(proof: string): string {
  const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${proof.slice(66, 130)}`)
  const v = proof.endsWith('1b') ? '1c' : '1b'
  return `${proof.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
}
