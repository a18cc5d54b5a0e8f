import { randomBytes } from 'node:crypto'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { didPrefixes } from '#core/did/did-org.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import { createFreshIdentity } from '../../registries/did-registry-under-test.ts'
import { findEachRefused } from '../../registries/findings.ts'
import { addRawKey } from '../add-raw-key.ts'
import type { DidRegistryContext } from '../context.ts'
import { createP256Jwk } from '../create-p256-jwk.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'
import { requireResolving } from '../require-resolving.ts'

export const checks = defineChecks<DidRegistryContext>({
  'D36-p256-unsupported': {
    title: 'publicKeyType P-256 is refused with 400 UNSUPPORTED',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/verification-method-input.2', '2.errors/did-registry.4'],
    description:
      'The value is reserved. By the code a client learns to send the key as JsonWebKey2020 instead.',
    sends: 'addVerificationMethod with publicKeyType P-256 and a key of that curve.',
    decides: 'HTTP 400 with error UNSUPPORTED.',
    async run({ registry }) {
      const { did, address: from, vMethodId } = registry.createIdentity()
      const publicKey = jwkAsHex(createP256Jwk())
      const send = (key: object) => () =>
        registry.post('contract/addVerificationMethod', { did, vMethodId, ...key, from })
      return findEachRefused(
        { 'publicKeyType P-256': send({ publicKeyType: 'P-256', publicKey }) },
        {
          statuses: [400],
          errors: ['UNSUPPORTED'],
          control: send({ publicKeyType: 'JsonWebKey2020', publicKey }),
        },
      )
    },
  },
  'D37-control-key-is-secp256k1': {
    title: 'A control key of another publicKeyType than secp256k1 is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.21', '2.endpoints/did-registry.27', '2.errors/did-registry.4'],
    description: 'Only a secp256k1 key has an account that can sign transactions.',
    sends: 'insertFirstDidDocument and insertDidDocument with publicKeyType JsonWebKey2020.',
    decides: 'HTTP 400.',
    async run({ registry }) {
      const identity = registry.createIdentity()
      const publicKeyType = 'JsonWebKey2020'
      const first = {
        ...registry.firstDocumentOf(identity, { publicKeyType }),
        from: identity.address,
      }
      const { alsoKnownAs, ...next } = first as Record<string, unknown>
      const { d, ...jwk } = privateJwkFromHex(identity.privateKey)
      const serialized = { ...first, publicKey: jwkAsHex(jwk) }
      return findEachRefused(
        {
          'JsonWebKey2020 for the first document': () =>
            registry.post('contract/insertFirstDidDocument', first),
          'JsonWebKey2020 and a JWK for the first document': () =>
            registry.post('contract/insertFirstDidDocument', serialized),
          'JsonWebKey2020 for a later document': () =>
            registry.post('contract/insertDidDocument', next),
        },
        {
          statuses: [400],
          control: () =>
            registry.post('contract/insertFirstDidDocument', {
              ...first,
              publicKeyType: 'secp256k1',
            }),
        },
      )
    },
  },
  'D38-raw-key-form': {
    title: 'A secp256k1 key of another form than 0x04, X, Y is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.resources-and-their-fields/verification-method-input.5',
      '2.limits.4',
      '2.errors/did-registry.4',
    ],
    description:
      'What is registered can’t be changed any more: a cut key would verify nothing for ever.',
    sends:
      'addVerificationMethod with keys that are compressed, too short, too long, or without prefix.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry }) {
      const identity = registry.createIdentity()
      const { publicKey } = identity
      const send = addRawKey(registry, identity)
      return findEachRefused(
        {
          'a compressed key': send(`0x02${publicKey.slice(4, 68)}`),
          'X and Y without 0x04': send(`0x${publicKey.slice(4)}`),
          'a key without 0x': send(publicKey.slice(2)),
          'a key that is a byte short': send(publicKey.slice(0, -2)),
          'a key that is a byte too long': send(`${publicKey}00`),
          'letters that are no hex': send(`${publicKey.slice(0, -1)}g`),
          'an empty key': send(''),
        },
        {
          statuses: [400],
          control: send(publicKey),
        },
      )
    },
  },
  'D39-key-off-the-curve': {
    title: 'A key that is no point of secp256k1 is refused',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/verification-method-input.5', '2.errors/did-registry.4'],
    description: 'No private key belongs to it, and libraries that meet it may fail in odd ways.',
    sends: 'addVerificationMethod with 0x04 and coordinates that are not on the curve.',
    decides: 'HTTP 400.',
    async run({ registry }) {
      const identity = registry.createIdentity()
      const { publicKey } = identity
      const send = addRawKey(registry, identity)
      return findEachRefused(
        { 'a key that is not on the curve': send(`0x04${'11'.repeat(64)}`) },
        { statuses: [400], control: send(publicKey) },
      )
    },
  },
  'D40-v-method-id-form': {
    title: 'A vMethodId that is not 43 characters of base64url is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.limits.3',
      '2.resources-and-their-fields/verification-method-input.1',
      '2.errors/did-registry.4',
    ],
    description: 'It becomes the fragment of the kid in credentials, and 32 bytes on the chain.',
    sends: 'addVerificationMethod with vMethodIds of 42 and 44 characters, padded, and in base64.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry }) {
      const { did, address: from, vMethodId, publicKey } = registry.createIdentity()
      const key = { publicKeyType: 'secp256k1', publicKey }
      const send = (id: string) => () =>
        registry.post('contract/addVerificationMethod', { did, vMethodId: id, ...key, from })
      return findEachRefused(
        {
          'a vMethodId of 42 characters': send(vMethodId.slice(1)),
          'a vMethodId of 44 characters': send(`${vMethodId}A`),
          'padding behind the vMethodId': send(`${vMethodId}=`),
          'a vMethodId in base64': send(`+/${vMethodId.slice(2)}`),
          'an empty vMethodId': send(''),
        },
        {
          statuses: [400],
          control: send(vMethodId),
        },
      )
    },
  },
  'D41-jwk-form': {
    title: 'A JsonWebKey2020 that holds no public key of a known curve is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/verification-method-input.6', '2.errors/did-registry.4'],
    description: 'What is registered can’t be changed any more, and everybody resolves it.',
    sends:
      'addVerificationMethod with JWKs without y, of an unknown curve, and with what is no JWK.',
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
  },
  'D42-private-jwk': {
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
  },
  'D43-required-members': {
    title: 'A body without a required member is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.errors/did-registry.4',
      '2.endpoints/did-registry.17',
      '2.endpoints/did-registry.19',
      '2.endpoints/did-registry.20',
      '2.endpoints/did-registry.22',
      '2.endpoints/did-registry.23',
      '2.endpoints/did-registry.24',
      '2.endpoints/did-registry.25',
      '2.endpoints/did-registry.26',
    ],
    description: 'A default in its place would go on a chain where nothing can be taken back.',
    sends: 'insertFirstDidDocument without each of its required members, one after the other.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry }) {
      const identity = registry.createIdentity()
      const body = { ...registry.firstDocumentOf(identity), from: identity.address }
      const without = (member: string) => {
        const { [member]: _, ...rest } = body as Record<string, unknown>
        return () => registry.post('contract/insertFirstDidDocument', rest)
      }
      const requests = Object.keys(body).map((member) => [`no ${member}`, without(member)] as const)
      const control = () => registry.post('contract/insertFirstDidDocument', body)
      return findEachRefused(Object.fromEntries(requests), { statuses: [400], control })
    },
  },
  'D45-malformed-identifier': {
    title: 'A malformed identifier is refused with 400 when it is resolved',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.8'],
    description: 'A client that gets a 404 for a typing error looks for a DID that can’t exist.',
    sends: 'GET of identifiers that are no DIDs of this registry.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry, environment }) {
      await requireResolving(registry)
      const prefix = didPrefixes[environment]
      const wrong = {
        'no prefix': 'z1B7abc',
        'no identifier behind the prefix': prefix,
        'a blank in it': `${prefix}z1 B7`,
      }
      const requests = Object.entries(wrong).map(
        ([what, did]) =>
          [what, () => registry.get(`identifiers/${encodeURIComponent(did)}`)] as const,
      )
      return findEachRefused(Object.fromEntries(requests), { statuses: [400] })
    },
  },
  'D47-valid-at-no-number': {
    title: 'valid-at that is no number is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.8'],
    description:
      'A registry that ignores it answers with the present document, and the client takes it for the past one.',
    sends:
      'GET of a registered DID with valid-at of a word, a date, and a number with letters behind it.',
    decides: 'HTTP 400 for each of them.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const { did } = await registry.register()
      const wrong = ['now', '2026-11-21T10:00:00Z', '12abc']
      const requests = wrong.map(
        (validAt) =>
          [
            `valid-at=${validAt}`,
            () =>
              registry.get(
                `identifiers/${encodeURIComponent(did)}?valid-at=${encodeURIComponent(validAt)}`,
              ),
          ] as const,
      )
      const control = () => registry.get(`identifiers/${encodeURIComponent(did)}?valid-at=${now()}`)
      return findEachRefused(Object.fromEntries(requests), { statuses: [400], control })
    },
  },
  'D56-wrong-page': {
    title: 'page and pageSize below 1, or no integers, are refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.limits.1', '2.limits.2', '2.errors/did-registry.4'],
    description: 'A page of nothing looks like the end of the list.',
    sends: 'GET of the identifiers with page and pageSize of 0, -1, 1.5 and a text.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry }) {
      const wrong = [
        'pageSize=0',
        'pageSize=-1',
        'pageSize=1.5',
        'pageSize=ten',
        'page=0',
        'page=-1',
      ]
      const requests = [...wrong, 'page=1.5', 'page=x'].map(
        (query) => [query, () => registry.get(`identifiers?${query}`)] as const,
      )
      return findEachRefused(Object.fromEntries(requests), {
        statuses: [400],
        control: () => registry.get('identifiers?page=1&pageSize=1'),
      })
    },
  },
  'D71-other-content-types': {
    title: 'A body of another content type than JSON is refused',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 9110, 15.5.16'],
    description:
      'A page of somebody else’s can make a browser post text/plain anywhere without asking; no API should act on it.',
    sends: 'A correct body of updateAlsoKnownAs as text/plain and as a form.',
    decides: 'HTTP 400, 406 or 415 for each of them.',
    async run({ registry }) {
      const { did, address: from } = registry.createIdentity()
      const body = JSON.stringify({ did, alsoKnownAs: 'urn:oid:1.2.3', from })
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']
      const requests = types.map(
        (type) =>
          [
            `content type ${type}`,
            () => registry.post('contract/updateAlsoKnownAs', body, { 'content-type': type }),
          ] as const,
      )
      return findEachRefused(Object.fromEntries(requests), {
        statuses: [400, 406, 415],
        control: () => registry.post('contract/updateAlsoKnownAs', body),
      })
    },
  },
  'D73-member-twice': {
    title: 'A member that stands twice in a body is refused',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 8259, 4'],
    description:
      'Two readers read two different bodies: whoever checks a request before it reaches the registry sees another DID than the registry does.',
    sends: 'updateAlsoKnownAs with two members did.',
    decides: 'HTTP 400.',
    async run({ registry }) {
      const { did, address: from } = registry.createIdentity()
      const body = JSON.stringify({ did, alsoKnownAs: 'urn:oid:1.2.3', from })
      const other = registry.createIdentity().did
      const twice = `{"did":"${other}",${body.slice(1)}`
      const send = (text: string) => () => registry.post('contract/updateAlsoKnownAs', text)
      return findEachRefused(
        { 'two members did': send(twice) },
        { statuses: [400], control: send(body) },
      )
    },
  },
  'D75-validity-backwards': {
    title: 'A validity that ends before it begins is refused',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    description:
      'Such a key would never be valid; times that were swapped are found before they cost a transaction.',
    sends: 'addVerificationRelationship with notAfter before notBefore.',
    decides: 'HTTP 400.',
    async run({ registry, now }) {
      const { did, vMethodId, address: from } = registry.createIdentity()
      const validity = { notBefore: now() + 3600, notAfter: now() }
      const body = { did, name: 'assertionMethod', vMethodId, from }
      const send = (times: object) => () =>
        registry.post('contract/addVerificationRelationship', { ...body, ...times })
      return findEachRefused(
        { 'notAfter before notBefore': send(validity) },
        {
          statuses: [400],
          control: send({ notBefore: validity.notAfter, notAfter: validity.notBefore }),
        },
      )
    },
  },
  'D78-base-document-form': {
    title: 'A base document that is no serialized JSON is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.6', '2.errors/did-registry.4'],
    description:
      'A document without a readable @context resolves to something that nobody can process.',
    sends: 'updateBaseDocument with texts that are no JSON, with an empty one, and with an object.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry }) {
      const { did, address: from } = registry.createIdentity()
      const send = (baseDocument: unknown) => () =>
        registry.post('contract/updateBaseDocument', { did, baseDocument, from })
      return findEachRefused(
        {
          'half of a JSON text': send('{"@context":['),
          'no JSON at all': send('context'),
          'an object in place of a text': send({ '@context': ['https://www.w3.org/ns/did/v1'] }),
          'an empty text': send(''),
        },
        {
          statuses: [400],
          control: send('{"@context":["https://www.w3.org/ns/did/v1"]}'),
        },
      )
    },
  },
  'D79-did-in-a-body': {
    title: 'A body whose did is none of this registry is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/types-used-in-the-tir.3'],
    description:
      'A DID of the other environment that is written here resolves nowhere where others look for it.',
    sends: 'updateAlsoKnownAs for malformed DIDs, and for one of the other environment.',
    decides: 'HTTP 400 for each of them.',
    async run({ registry, environment }) {
      const { address: from } = registry.createIdentity()
      const other = createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did
      const send = (wrong: unknown) => () =>
        registry.post('contract/updateAlsoKnownAs', {
          did: wrong,
          alsoKnownAs: 'urn:oid:1.2.3',
          from,
        })
      return findEachRefused(
        {
          'a did:key': send('did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'),
          'a did without an identifier': send(didPrefixes[environment]),
          'a number as did': send(1),
          'a did of the other environment': send(other),
        },
        {
          statuses: [400],
          control: send(createFreshIdentity(environment).did),
        },
      )
    },
  },
})
