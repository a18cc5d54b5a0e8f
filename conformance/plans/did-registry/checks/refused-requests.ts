import { randomBytes } from 'node:crypto'
import { createPrivateJwk, privateJwkFromHex, publicJwkOf } from '#core/crypto/jwk.ts'
import { didPrefixes } from '#core/did/did-org.ts'
import { toHex } from '#core/ethereum/account.ts'
import { defineChecks } from '../../../kit/check.ts'
import { createFreshIdentity } from '../../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from '../context.ts'
import {
  createP256Jwk,
  jwkAsHex,
  overflowingKeys,
  registeredDid,
  requireResolving,
} from '../operations.ts'
import {
  build,
  change,
  type Request,
  type RequestSubject,
  refusesEach,
  type WrongRequests,
  wrongBodies,
  wrongJwks,
} from '../wrong-requests.ts'

const get =
  (pathOf: (subject: RequestSubject) => string): Request =>
  (subject) =>
    subject.registry.get(pathOf(subject))

const resolve = (identifierOf: (subject: RequestSubject) => string): Request =>
  get((subject) => `identifiers/${encodeURIComponent(identifierOf(subject))}`)

const resolveAt = (validAt: (subject: RequestSubject) => string): Request =>
  get((subject) => {
    const { did } = subject.identity
    return `identifiers/${encodeURIComponent(did)}?valid-at=${encodeURIComponent(validAt(subject))}`
  })

/** The same request with each value, by a description of the mistake. */
const each = (
  values: readonly string[],
  what: (value: string) => string,
  request: (value: string) => Request,
) => Object.fromEntries(values.map((value) => [what(value), request(value)]))

const send =
  (signedRawTransaction?: unknown): Request =>
  ({ registry }) =>
    registry.post('transactions/send', { signedRawTransaction })

/** The serialized body of updateAlsoKnownAs. */
const update =
  (
    change: (text: string, subject: RequestSubject) => string,
    contentType = 'application/json',
  ): Request =>
  (subject) => {
    const text = JSON.stringify(subject.bodies.updateAlsoKnownAs)
    const headers = { 'content-type': contentType }
    return subject.registry.post('contract/updateAlsoKnownAs', change(text, subject), headers)
  }

const secret = () => randomBytes(32).toString('base64url')
const modulus = () => randomBytes(256).toString('base64url')

/** A coordinate with one byte less, or one more. */
const shorten = (text: unknown) =>
  Buffer.from(String(text), 'base64url').subarray(1).toString('base64url')
const lengthen = (text: unknown) =>
  Buffer.concat([Buffer.of(0), Buffer.from(String(text), 'base64url')]).toString('base64url')

/** A key whose x has the characters + and / instead of - and _, with the same value. */
function createBase64Jwk(): object {
  for (;;) {
    const { x, ...jwk } = createP256Jwk()
    const changed = String(x).replaceAll('-', '+').replaceAll('_', '/')
    if (changed !== x) return { ...jwk, x: changed }
  }
}

/** Members that are put before those of a body and repeat its did, by the other did. */
const duplicates: Readonly<Record<string, (other: string) => string>> = {
  'two members "did"': (other) => `"did":${other}`,
  'the same name once with an escaped letter': (other) => `"di\\u0064":${other}`,
  'two members "did" and a list between them': (other) => `"did":${other},"x":[{"y":1}]`,
  'two members "did" and an object between them': (other) => `"did":${other},"x":{"y":{}}`,
  'two members "did" and brackets in a string between them': (other) =>
    `"did":${other},"x":"\\"}]{\\\\"`,
  'two members "did" and an empty string between them': (other) => `"did":${other},"x":""`,
  'two equal names in an object within the body': () => '"x":{"y":1,"y":2}',
}

/** An identifier of this registry with a character that base58btc does not have. */
const withCharacter =
  (character: string): Request =>
  ({ registry, identity }) => {
    const identifier = encodeURIComponent(`${identity.did.slice(0, -1)}${character}`)
    return registry.get(`identifiers/${identifier}`)
  }

export const checks = defineChecks<DidRegistryContext, WrongRequests>(
  {
    'D36-p256-unsupported': {
      title: 'publicKeyType P-256 is rejected with 400 UNSUPPORTED',
      level: 'spec',
      rows: ['2.resources-and-their-fields/verification-method-input.2', '2.errors/did-registry.4'],
      description:
        'The value is reserved. The code shows a client that it must send the key as JsonWebKey2020 instead.',
      fix: 'Reject publicKeyType P-256 with 400 and the error code UNSUPPORTED.',
      errors: ['UNSUPPORTED'],
      to: 'addVerificationMethod and rollVerificationMethod',
      wrong: {
        'publicKeyType P-256': build('addVerificationMethod', (_, { jwk }) => ({
          publicKeyType: 'P-256',
          publicKey: jwkAsHex(jwk),
        })),
        'publicKeyType P-256 in a roll': build('rollVerificationMethod', (_, { jwk }) => ({
          publicKeyType: 'P-256',
          publicKey: jwkAsHex(jwk),
        })),
      },
      control: build('addVerificationMethod'),
    },
    'D37-control-key-is-secp256k1': {
      title: 'A control key with a publicKeyType other than secp256k1 is rejected',
      level: 'spec',
      rows: [
        '2.endpoints/did-registry.21',
        '2.endpoints/did-registry.27',
        '2.errors/did-registry.4',
      ],
      description: 'Only a secp256k1 key has an account that can sign transactions.',
      fix: 'Accept only publicKeyType secp256k1 in insertFirstDidDocument and insertDidDocument. Reject any other value with 400.',
      to: 'insertFirstDidDocument and insertDidDocument',
      wrong: {
        'JsonWebKey2020 for the first document': build('insertFirstDidDocument', {
          publicKeyType: 'JsonWebKey2020',
        }),
        'JsonWebKey2020 and a JWK for the first document': build(
          'insertFirstDidDocument',
          (_, { newcomer }) => {
            const { d, ...jwk } = privateJwkFromHex(newcomer.privateKey)
            return { publicKeyType: 'JsonWebKey2020', publicKey: jwkAsHex(jwk) }
          },
        ),
        'JsonWebKey2020 for a later document': build('insertDidDocument', {
          publicKeyType: 'JsonWebKey2020',
        }),
      },
      control: build('insertFirstDidDocument'),
    },
    'D38-raw-key-form': {
      title: 'A secp256k1 key in a form other than 0x04, X, Y is rejected',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/verification-method-input.5',
        '2.limits.4',
        '2.errors/did-registry.4',
      ],
      description:
        'A registered key cannot be changed: a truncated key would never verify anything.',
      fix: 'For publicKeyType secp256k1, require 0x04 and 128 hex digits in publicKey. Reject anything else with 400.',
      ...wrongBodies('addVerificationMethod', {
        'a compressed key': change('publicKey', (key) => `0x02${key.slice(4, 68)}`),
        'X and Y without 0x04': change('publicKey', (key) => `0x${key.slice(4)}`),
        'a key without 0x': change('publicKey', (key) => key.slice(2)),
        'a key that is one byte too short': change('publicKey', (key) => key.slice(0, -2)),
        'a key that is one byte too long': change('publicKey', (key) => `${key}00`),
        'letters that are not hex': change('publicKey', (key) => `${key.slice(0, -1)}g`),
        'a key with 0X': change('publicKey', (key) => `0X${key.slice(2)}`),
        'a JWK': (_, { jwk }) => ({ publicKey: jwkAsHex(jwk) }),
        'an empty key': { publicKey: '' },
      }),
    },
    'D39-key-off-the-curve': {
      title: 'A key that is not a point of secp256k1 is rejected',
      level: 'practice',
      rows: ['2.resources-and-their-fields/verification-method-input.5', '2.errors/did-registry.4'],
      description: 'It has no private key, and libraries may fail on it in unexpected ways.',
      fix: 'Check that X and Y of publicKey are a point of secp256k1. If they are not, return 400.',
      ...wrongBodies('addVerificationMethod', {
        'a key that is not on the curve': { publicKey: `0x04${'11'.repeat(64)}` },
        ...Object.fromEntries(
          Object.entries(overflowingKeys()).map(([what, publicKey]) => [what, { publicKey }]),
        ),
      }),
    },
    'D40-v-method-id-form': {
      title: 'A vMethodId that is not 43 characters of base64url is rejected',
      level: 'spec',
      rows: [
        '2.limits.3',
        '2.resources-and-their-fields/verification-method-input.1',
        '2.errors/did-registry.4',
      ],
      description: 'It becomes the fragment of the kid in credentials, and 32 bytes on the chain.',
      fix: 'Require 43 characters of base64url without padding in vMethodId. Reject anything else with 400.',
      ...wrongBodies('addVerificationMethod', {
        'a vMethodId of 42 characters': change('vMethodId', (id) => id.slice(1)),
        'a vMethodId of 44 characters': change('vMethodId', (id) => `${id}A`),
        'padding after the vMethodId': change('vMethodId', (id) => `${id}=`),
        'a vMethodId in base64': change('vMethodId', (id) => `+/${id.slice(2)}`),
        'an empty vMethodId': { vMethodId: '' },
      }),
    },
    'D41-jwk-form': {
      title: 'A JsonWebKey2020 without a public key on a known curve is rejected',
      level: 'spec',
      rows: ['2.resources-and-their-fields/verification-method-input.6', '2.errors/did-registry.4'],
      description: 'A registered key cannot be changed, and all verifiers resolve it.',
      fix: 'For publicKeyType JsonWebKey2020, decode publicKey from hex and parse it as JSON. Require kty EC, a known crv, and x and y of a point on that curve. Otherwise return 400.',
      ...wrongJwks({
        'a JWK without y': ({ y, ...jwk }) => ({ publicKey: jwkAsHex(jwk) }),
        'a JWK with an unknown curve': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, crv: 'P-255' }) }),
        'a JWK without kty': ({ kty, ...jwk }) => ({ publicKey: jwkAsHex(jwk) }),
        'a list instead of a JWK': () => ({ publicKey: jwkAsHex([]) }),
        'a JWK that is not hex-encoded': (jwk) => ({ publicKey: JSON.stringify(jwk) }),
        'hex that is not JSON': () => ({ publicKey: '0x7b7b' }),
        'a raw key of secp256k1': () => ({ publicKey: createFreshIdentity('pre').publicKey }),
      }),
    },
    'D42-private-jwk': {
      title: 'A JWK with its private key is rejected',
      level: 'practice',
      clauses: ['RFC 7517, 9.2'],
      description:
        'It would stay on a public chain permanently. The client could not undo that mistake.',
      fix: 'If the JWK in publicKey contains d or another member that RFC 7518 registers as private (p, q, dp, dq, qi, oth, k), return 400, and build no transaction.',
      ...wrongJwks({
        'a JWK with its private key': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, d: secret() }) }),
        ...Object.fromEntries(
          ['p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((member) => [
            `a JWK with the private member ${member}`,
            (jwk: object) => ({ publicKey: jwkAsHex({ ...jwk, [member]: secret() }) }),
          ]),
        ),
      }),
    },
    'D43-required-members': {
      title: 'A body without a required member is rejected with 400',
      level: 'spec',
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
      description: 'A default would be stored permanently on a chain.',
      fix: 'Require every member of the body except baseDocument. If one of them is missing, return 400, and do not use a default.',
      ...wrongBodies('insertFirstDidDocument', {
        ...Object.fromEntries(
          [
            'did',
            'vMethodId',
            'proof',
            'publicKeyType',
            'publicKey',
            'notBefore',
            'notAfter',
            'alsoKnownAs',
            'from',
          ].map((member) => [`no ${member}`, { [member]: undefined }]),
        ),
        // Some JSON libraries find members without regard to case.
        'AlsoKnownAs instead of alsoKnownAs': ({ alsoKnownAs }) => ({
          alsoKnownAs: undefined,
          AlsoKnownAs: alsoKnownAs,
        }),
      }),
    },
    'D45-malformed-identifier': {
      title: 'Resolving a malformed identifier is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.8'],
      description: 'A client that gets a 404 for a typo looks for a DID that cannot exist.',
      fix: 'Compare the identifier with the prefix of the registry, such as did:org:uc-pre:, and allowed characters. If it does not match, return 400, not 404.',
      to: 'GET of an identifier',
      wrong: {
        'no prefix': resolve(() => 'z1B7abc'),
        'no prefix before a registered identifier': resolve(({ identity, environment }) =>
          identity.did.slice(didPrefixes[environment].length),
        ),
        'the scheme of the DID in upper case': resolve(({ identity }) =>
          identity.did.replace('did:', 'DID:'),
        ),
        'no identifier after the prefix': resolve(({ environment }) => didPrefixes[environment]),
        'a space in the DID': resolve(({ environment }) => `${didPrefixes[environment]}z1 B7`),
        'the method of the DID in upper case': resolve(({ identity }) =>
          identity.did.replace('did:org', 'did:ORG'),
        ),
        'a letter before the DID': resolve(({ identity }) => `x${identity.did}`),
        'a space after the DID': resolve(({ identity }) => `${identity.did} `),
        'a line break after the DID': resolve(({ identity }) => `${identity.did}\n`),
        'a NUL after the DID': resolve(({ identity }) => `${identity.did}\0`),
        'a parameter after the DID': resolve(({ identity }) => `${identity.did};key`),
        'the colons of the DID encoded twice': resolve(({ identity }) =>
          encodeURIComponent(identity.did),
        ),
        'a fragment after the DID': resolve(({ identity }) => `${identity.did}#key`),
        'a query after the DID': resolve(({ identity }) => `${identity.did}?key`),
        'a path after the DID': resolve(({ identity }) => `${identity.did}/key`),
      },
      // Of a registered DID: a registry that corrects the mistake answers with its document.
      async prepare({ registry }) {
        return { ...registry.createIdentity(), did: await requireResolving(registry) }
      },
    },
    'D47-valid-at-no-number': {
      title: 'A valid-at that is not a number is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.8'],
      description:
        'A registry that ignores it returns the current document, and the client mistakes it for the past one.',
      fix: 'Require a number in valid-at. Reject anything else with 400: do not ignore the parameter.',
      to: 'GET of a registered DID',
      wrong: each(
        [
          'now',
          '2026-11-21T10:00:00Z',
          '12abc',
          'abc12',
          'x12',
          '1,5',
          '1 2',
          'NaN',
          'true',
          'null',
          '0x5f5e1000',
          'Infinity',
          // Number parsers of some languages accept both.
          '1_000',
          '١٢',
          '',
        ],
        (validAt) => `valid-at=${validAt}`,
        (validAt) => resolveAt(() => validAt),
      ),
      // Later than the registration, even if the clock of the chain is ahead.
      control: resolveAt(({ now }) => String(now() + 3600)),
      async prepare({ registry }) {
        return { ...registry.createIdentity(), did: await registeredDid(registry) }
      },
    },
    'D56-wrong-page': {
      title: 'page and pageSize below 1, or not integers, are rejected',
      level: 'spec',
      rows: ['2.limits.1', '2.limits.2', '2.errors/did-registry.4'],
      description: 'An empty page looks like the end of the list.',
      fix: 'Require that page and pageSize are integers of at least 1. Reject anything else with 400.',
      to: 'GET of the identifiers',
      wrong: each(
        [
          'pageSize=0',
          'pageSize=-1',
          'pageSize=1.5',
          'pageSize=ten',
          'page=0',
          'page=-1',
          'page=1.5',
          'page=x',
        ],
        (query) => query,
        (query) => get(() => `identifiers?${query}`),
      ),
      // Some parsers read an empty value as none, and the rest as 1 or 10.
      harmless: each(
        ['pageSize=', 'pageSize=1_0', 'page=', 'page=1e0', 'page=%D9%A1'],
        (query) => query,
        (query) => get(() => `identifiers?${query}`),
      ),
      control: get(() => 'identifiers?page=1&pageSize=1'),
    },
    'D59-garbage-for-a-transaction': {
      title: 'An invalid signed transaction is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.14'],
      description:
        'With the hash of a transaction that can never be mined, a client waits indefinitely.',
      fix: 'Decode signedRawTransaction before you send it. If it is missing or not a complete transaction in 0x-hex, return 400.',
      needs: ['onboarding-node'],
      to: 'transactions/send',
      wrong: {
        'no signedRawTransaction': send(),
        'a number as signedRawTransaction': send(1),
        'an empty signedRawTransaction': send(''),
        'only 0x': send('0x'),
        'letters that are not hex': send(`0x02${'zz'.repeat(60)}`),
        'only a type': send('0x02'),
        'random bytes': send(`0x02${randomBytes(120).toString('hex')}`),
      },
      // If the registry accepts no transaction at all, its rejection proves nothing.
      prepare: ({ registry }) => registry.register(),
    },
    'D71-other-content-types': {
      title: 'A body with a content type other than JSON is rejected',
      level: 'practice',
      clauses: ['RFC 9110, 15.5.16'],
      description:
        'A page of another site can make a browser post text/plain anywhere without asking; no API should act on it.',
      fix: 'Accept only application/json as Content-Type of a body. Reject any other type with 415.',
      statuses: [400, 406, 415],
      to: 'updateAlsoKnownAs',
      wrong: each(
        ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'],
        (type) => `content type ${type}`,
        (type) => update((text) => text, type),
      ),
      control: update((text) => text),
    },
    'D73-member-twice': {
      title: 'A body with a duplicate member is rejected',
      level: 'practice',
      clauses: ['RFC 8259, 4'],
      description:
        'Two parsers read two different bodies: a proxy that checks the request sees a different DID than the registry.',
      fix: 'Use a JSON parser that detects duplicate member names, and return 400 for them. Most parsers keep the last one.',
      to: 'updateAlsoKnownAs',
      wrong: Object.fromEntries(
        Object.entries(duplicates).map(([what, before]) => [
          what,
          update((text, { registry }) => {
            const other = JSON.stringify(registry.createIdentity().did)
            return `{${before(other)},${text.slice(1)}`
          }),
        ]),
      ),
      control: update((text) => text),
    },
    'D75-validity-backwards': {
      title: 'A validity period that does not end after it begins is rejected',
      level: 'practice',
      rows: ['2.errors/did-registry.4'],
      description:
        'Such a key would never be valid; swapped times are found before they cost a transaction.',
      fix: 'Compare notAfter with notBefore. If it is not later, return 400.',
      ...wrongBodies('addVerificationRelationship', {
        'notAfter before notBefore': ({ notBefore, notAfter }) => ({
          notBefore: notAfter,
          notAfter: notBefore,
        }),
        'notAfter equal to notBefore': ({ notBefore }) => ({ notAfter: notBefore }),
      }),
    },
    'D78-base-document-form': {
      title: 'A base document that is not serialized JSON is rejected',
      level: 'spec',
      rows: ['2.endpoints/did-registry.6', '2.errors/did-registry.4'],
      description: 'No client can process a document without a readable @context.',
      fix: 'Require that baseDocument is a string, and parse it as JSON. If it is not valid JSON, return 400.',
      ...wrongBodies('updateBaseDocument', {
        'half of a JSON document': { baseDocument: '{"@context":[' },
        'a value that is not JSON': { baseDocument: 'context' },
        'an object instead of a string': {
          baseDocument: { '@context': ['https://www.w3.org/ns/did/v1'] },
        },
        'an empty string': { baseDocument: '' },
      }),
    },
    'D123-near-misses-of-a-jwk': {
      title: 'A JWK that is almost a key of its curve is rejected',
      level: 'practice',
      rows: ['2.resources-and-their-fields/verification-method-input.6', '2.errors/did-registry.4'],
      description:
        'Libraries that are lenient about padding and length read a different key, or none.',
      fix: 'Require x and y in base64url without padding, with the length of the curve, and a point of the curve in crv. Compare kty and crv exactly. Otherwise return 400.',
      ...wrongJwks({
        'an x with padding': ({ x, ...jwk }) => ({ publicKey: jwkAsHex({ ...jwk, x: `${x}=` }) }),
        'an x in base64': () => ({ publicKey: jwkAsHex(createBase64Jwk()) }),
        'an x that is one byte too short': ({ x, ...jwk }) => ({
          publicKey: jwkAsHex({ ...jwk, x: shorten(x) }),
        }),
        'a y that is one byte too short': ({ y, ...jwk }) => ({
          publicKey: jwkAsHex({ ...jwk, y: shorten(y) }),
        }),
        'a y that is one byte too long': ({ y, ...jwk }) => ({
          publicKey: jwkAsHex({ ...jwk, y: lengthen(y) }),
        }),
        'x and y exchanged': ({ x, y, ...jwk }) => ({
          publicKey: jwkAsHex({ ...jwk, x: y, y: x }),
        }),
        'a number as x': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, x: 1 }) }),
        'another curve of the same length': (jwk) => ({
          publicKey: jwkAsHex({ ...jwk, crv: 'secp256k1' }),
        }),
        'the curve in lower case': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, crv: 'p-256' }) }),
        'kty in lower case': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, kty: 'ec' }) }),
        'kty RSA': (jwk) => ({ publicKey: jwkAsHex({ ...jwk, kty: 'RSA' }) }),
        'a key of Ed25519, which is not an EC key': () => ({
          publicKey: jwkAsHex(publicJwkOf(createPrivateJwk('Ed25519', randomBytes(32)))),
        }),
        'a key of RSA with an x that is not base64url': () => ({
          publicKey: jwkAsHex({ kty: 'RSA', n: modulus(), e: 'Aw', x: '!' }),
        }),
        'no hex prefix': (jwk) => ({ publicKey: jwkAsHex(jwk).slice(2) }),
        'a letter before the hex prefix': (jwk) => ({ publicKey: `x${jwkAsHex(jwk)}` }),
        'half a byte after the JWK': (jwk) => ({ publicKey: `${jwkAsHex(jwk)}2` }),
        'a byte after the JWK that is not UTF-8': (jwk) => ({ publicKey: `${jwkAsHex(jwk)}ff` }),
        'a kid that is not UTF-8': (jwk) => {
          const text = JSON.stringify({ ...jwk, kid: '\u00ff' })
          return { publicKey: toHex(Buffer.from(text, 'latin1')) }
        },
        'two JWKs in a row': (jwk) => ({ publicKey: `${jwkAsHex(jwk)}${jwkAsHex(jwk).slice(2)}` }),
      }),
    },
    'D124-texts-that-cannot-be-shown': {
      title: 'A base document without a usable @context, and a blank alsoKnownAs, are rejected',
      level: 'practice',
      rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.5', '2.endpoints/did-registry.6'],
      description:
        'The document would have no context that a JSON-LD processor accepts, or a name that cannot be read or found.',
      fix: 'Require in baseDocument a @context with at least one URL or object. Require a printable alsoKnownAs that is not blank. Otherwise return 400.',
      to: 'updateBaseDocument and updateAlsoKnownAs',
      wrong: {
        ...each(
          [
            ...['[]', '{}', '""', 'null', '1', '[null]', '[1]', '[""]', '{"@context":null}'],
            '["https://www.w3.org/ns/did/v1",1]',
          ],
          (text) => `${text} as baseDocument`,
          (baseDocument) => build('updateBaseDocument', { baseDocument }),
        ),
        'only spaces as alsoKnownAs': build('updateAlsoKnownAs', { alsoKnownAs: '  ' }),
        'an empty alsoKnownAs': build('updateAlsoKnownAs', { alsoKnownAs: '' }),
        'a NUL in alsoKnownAs': build('updateAlsoKnownAs', { alsoKnownAs: 'urn:x\u0000' }),
        'a line break in alsoKnownAs': build('updateAlsoKnownAs', { alsoKnownAs: 'urn:x\ny' }),
        'half a surrogate pair in alsoKnownAs': build('updateAlsoKnownAs', {
          alsoKnownAs: 'urn:\ud800',
        }),
        'a byte in alsoKnownAs that is not UTF-8': ({ registry, bodies }) => {
          const text = JSON.stringify({ ...bodies.updateAlsoKnownAs, alsoKnownAs: 'urn:\u00ff' })
          return registry.post('contract/updateAlsoKnownAs', Buffer.from(text, 'latin1'))
        },
      },
      control: build('updateBaseDocument'),
    },
    'D129-characters-of-a-did': {
      title: 'An identifier with a character outside base58btc is rejected with 400',
      level: 'practice',
      rows: ['2.errors/did-registry.8', '2.resources-and-their-fields/types-used-in-the-tir.3'],
      description:
        'The letters that look like digits are not in the alphabet, so that a DID can be typed: a DID with one of them is a typo.',
      fix: 'Require a z and characters of base58btc (no 0, O, I and l) after the prefix. Reject anything else with 400.',
      to: 'GET of an identifier',
      wrong: each(
        ['0', 'O', 'I', 'l', '-', 'ñ', '%'],
        (character) => `the character ${character}`,
        withCharacter,
      ),
      async prepare({ registry }) {
        await requireResolving(registry)
        return registry.createIdentity()
      },
    },
    'D79-did-in-a-body': {
      title: 'A body whose did does not belong to this registry is rejected',
      level: 'spec',
      rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/types-used-in-the-tir.3'],
      description:
        'A DID of the other environment that is written here does not resolve where clients look for it.',
      fix: 'Require in did the prefix of this registry, such as did:org:uc-pre:, and an identifier after it. Reject anything else with 400.',
      ...wrongBodies('updateAlsoKnownAs', {
        'a did:key': { did: 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme' },
        'a did without an identifier': (_, { environment }) => ({ did: didPrefixes[environment] }),
        'a number as did': { did: 1 },
        'a did of the other environment': (_, { environment }) => ({
          did: createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did,
        }),
      }),
    },
  },
  refusesEach,
)
