import { isDeepStrictEqual } from 'node:util'
import { didPrefixes } from '#core/did/did-org.ts'
import { toHex } from '#core/ethereum/account.ts'
import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  jsonAsPremise,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { dueCases, findEach, requireEach } from '../../../kit/find-each.ts'
import { inOtherEnvironment, withOtherCase } from '../../../kit/near-misses.ts'
import { findDocumentation } from '../../../kit/read-pages.ts'
import { findEachRefused, findNoServerError, hostileBodies } from '../../registries/findings.ts'
import { signLegacy, signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import {
  buildUpdate,
  contractBodies,
  prepareBodies,
  registeredDid,
  requireResolving,
} from '../operations.ts'

/** Values of a wrong type or size for any member. The last two exceed 64 and 256 bits. */
const oddValues: readonly unknown[] = [null, 1, '', 'x', [], {}, 2 ** 64, 1e300]

/** JSON that is not a JWK, or only half of one. */
const oddKeys = [
  'null',
  '1',
  '[]',
  '{}',
  '{"kty":1}',
  '{"kty":null}',
  '{"kty":"EC"}',
  '{"crv":"P-256","x":"AA","y":"AA"}',
  '{"kty":"EC","crv":"P-256","x":1,"y":[]}',
  '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}',
  '{"kty":"__proto__","crv":"constructor"}',
]

/** What is not a signed transaction, in hex or not. */
const oddTransactions: readonly unknown[] = [
  ...[null, 1, [], {}, '', '0x', '0', 'x', '0xc0', '0x00', '0x01', '0x02', '0x03', '0x7f'],
  ...['0x01c0', '0x02c0', '0xf8', `0x${'ff'.repeat(40)}`, `0xf84${'0'.repeat(99)}`],
  `0xc9${'80'.repeat(9)}`,
  `0xcc${'80'.repeat(12)}`,
  `0x02cc${'80'.repeat(12)}`,
  `0x01cb${'80'.repeat(11)}`,
]

/** What a chain reverts, rejects or holds, one after the other from the same account. */
const refusedChanges = {
  'about a DID that is not registered': {},
  'with an obsolete nonce': { gasLimit: '0x186a0' },
  'without funds for its gas': { nonce: '0x1', gasPrice: '0xde0b6b3a7640000' },
  'for another chain': { nonce: '0x1', chainId: '0x1' },
  'with a nonce that is too high': { nonce: '0x3' },
}

export const checks = defineChecks<DidRegistryContext>({
  'D44-error-body': {
    title: 'An error has a code and a description',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.errors/did-registry.1'],
    description: 'Clients branch on the code and show the description.',
    sends:
      'insertFirstDidDocument with an empty object and with half a JSON string, addVerificationMethod with P-256, bytes that are not a transaction; GET of a malformed and of an unregistered DID, and with Accept: text/html.',
    decides:
      'Each response is HTTP 400, 404 or 406, and JSON with the strings error and error_description.',
    fix: 'Return every error as a JSON object that has the strings error, such as validation_error, and error_description. This includes the 404, the 406, and the 400 for a body that is not JSON.',
    async run({ registry, now }) {
      const identity = registry.createIdentity()
      const registrar = { identity, from: identity.address }
      const { addVerificationMethod } = contractBodies(registry, identity, now(), registrar)
      const reserved = { ...addVerificationMethod, publicKeyType: 'P-256' }
      const unknown = `identifiers/${encodeURIComponent(identity.did)}`
      const answers = [
        await registry.post('contract/insertFirstDidDocument', {}),
        await registry.post('contract/insertFirstDidDocument', hostileBodies['half a string']),
        await registry.get('identifiers/no-did'),
      ]
      // Whether these are rejected, D36, D46, D48 and D59 show.
      const others = [
        await registry.post('contract/addVerificationMethod', reserved),
        await registry.post('transactions/send', { signedRawTransaction: '0x02' }),
        await registry.get(unknown),
        await registry.get(unknown, { accept: 'text/html' }),
      ].filter(({ status }) => [400, 404, 406].includes(status))
      await requireEach([...answers, ...others], async (answer) => {
        // What fails at half a string, D72 reports.
        if (answer.status === 500) return inconclusive('A wrong request returned HTTP 500: see D72')
        const what = `A request that was answered with HTTP ${answer.status}`
        const body = requireJson(answer, what, [400, 404, 406])
        for (const member of ['error', 'error_description']) {
          expectEqual(`type of ${member} of HTTP ${answer.status}`, typeof body[member], 'string')
          expectMatch(`${member} of HTTP ${answer.status}`, body[member], /\w/)
        }
      })
      return held('Errors have error and error_description')
    },
  },
  'D46-unknown-did': {
    title: 'An unregistered DID returns 404',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.5', '2.errors/did-registry.8'],
    description:
      'A verifier relies on the response about an issuer: an empty document is not the same as no document.',
    sends:
      'GET of a well-formed DID that is not registered, and of a registered one with one letter in the other case, or with the prefix of the other environment.',
    decides: 'HTTP 404. The DID in a different case or environment may also be rejected with 400.',
    fix: 'Return 404 for a well-formed DID that is not registered, not an empty document. Compare identifiers case-sensitively: base58 distinguishes case, and a database may not.',
    async run({ registry }) {
      const registered = await requireResolving(registry)
      const get = (did: string) => registry.get(`identifiers/${encodeURIComponent(did)}`)
      const unknown = await get(registry.createIdentity().did)
      const finding = findRefusal(unknown, {
        what: 'A DID that is not registered',
        statuses: [404],
      })
      if (finding.kind !== 'held') return finding
      const similar = await findEach(
        [
          ['one letter in the other case', withOtherCase(registered)],
          ['the prefix of the other environment', inOtherEnvironment(registered)],
        ] as const,
        async ([change, did]) => {
          const what = `A registered DID with ${change}`
          const found = findRefusal(await get(did), { what, statuses: [404, 400] })
          return found.kind === 'broken' ? { ...found, level: 'practice' } : found
        },
      )
      return similar.kind === 'broken' ? similar : finding
    },
  },
  'D48-accept-html': {
    title: 'Accept with an unsupported media type is rejected with 406',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.6', '2.errors/did-registry.8'],
    description: 'A client that asks for a page must not get a document that it cannot show.',
    sends:
      'GET of a registered DID with Accept: text/html, image/png, and near misses of both types.',
    decides: 'HTTP 406 for each of them, while the documented type is accepted.',
    fix: 'Compare Accept with application/did+ld+json and application/did+json. If neither matches, return 406.',
    async run({ registry }) {
      const did = await registeredDid(registry)
      const path = `identifiers/${encodeURIComponent(did)}`
      const read = (accept: string) => () => registry.get(path, { accept })
      const wrong = [
        'text/html',
        'image/png',
        'application/did+ld+jso',
        'application/did+json2',
        'application/did+xml',
        'text/did+json',
      ]
      const requests = wrong.map((type) => [`Accept: ${type}`, read(type)] as const)
      return findEachRefused(Object.fromEntries(requests), {
        statuses: [406],
        control: read('application/did+ld+json'),
      })
    },
  },
  'D49-media-types': {
    title: 'The document has the requested media type',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2', '2.resources-and-their-fields/did-document.1'],
    clauses: ['RFC 9110, 12.5.5'],
    description:
      'The media type shows a resolver how to read the document. Without Vary, a cache may return it to a client that requested the other one.',
    sends: 'GET of a registered DID with Accept application/did+ld+json and application/did+json.',
    decides:
      'HTTP 200 each time, with @context in did+ld+json and otherwise the same members. A content type other than the requested one is a warning, and so are a response without Accept in Vary, unless its Cache-Control has no-store or no-cache, and another or no @context in did+json.',
    fix: 'Accept both application/did+ld+json and application/did+json, set Content-Type to the requested one, and add Accept to Vary. Return the same document for both, with its @context.',
    async run({ registry }) {
      const did = await registeredDid(registry)
      const path = `identifiers/${encodeURIComponent(did)}`
      const documents: Record<string, unknown>[] = []
      for (const accept of ['application/did+ld+json', 'application/did+json']) {
        const answer = await registry.get(path, { accept })
        documents.push(requireJson(answer, `GET with Accept: ${accept}`))
        const [type = ''] = answer.contentType.split(';')
        const actual = type.trim().toLowerCase()
        if (actual !== accept) {
          const mismatch = `Accept: ${accept} was answered as ${actual}`
          return broken(mismatch, { expected: accept, actual, level: 'practice' })
        }
        const vary = answer.headers.get('vary') ?? ''
        const mayBeReused = !/\bno-(?:store|cache)\b/i.test(
          answer.headers.get('cache-control') ?? '',
        )
        if (mayBeReused && !/(?:^|,)\s*(?:accept|\*)\s*(?:,|$)/i.test(vary)) {
          const reason = 'The response depends on Accept, but Vary does not say so'
          return broken(reason, { expected: 'Vary: Accept', actual: vary, level: 'practice' })
        }
      }
      const [{ '@context': expected, ...linked } = {}, { '@context': actual, ...plain } = {}] =
        documents
      const isContext = Array.isArray(expected) && expected.length > 0
      expectTrue('@context of did+ld+json is a list that is not empty', isContext, expected)
      expectEqual('the document as did+json, apart from @context', plain, linked)
      // DID Core 1.0, 6.2: plain JSON can do without it.
      if (!isDeepStrictEqual(actual, expected)) {
        const reason = 'The document as did+json does not have the @context of did+ld+json'
        return broken(reason, { expected, actual, level: 'practice' })
      }
      return held('Both media types are served as requested, with the same document')
    },
  },
  'D50-any-media-type': {
    title: 'A client that accepts anything gets a document',
    level: 'practice',
    expectation: 'accept',
    clauses: ['RFC 9110, 12.5.1'],
    description:
      'Tools such as curl send Accept: */*; a 406 locks out a client that only wants to read.',
    sends: 'GET of a registered DID with Accept: */*.',
    decides: 'HTTP 200 with a JSON object.',
    fix: 'Treat */* in Accept as application/did+ld+json, and return 200.',
    async run({ registry }) {
      const did = await registeredDid(registry)
      const answer = await registry.get(`identifiers/${encodeURIComponent(did)}`, { accept: '*/*' })
      requireJson(answer, 'GET with Accept: */*')
      return held('Accept: */* is served')
    },
  },
  'D69-no-authentication': {
    title: 'Reading and building need no Authorization header, and ignore one',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.authentication.1'],
    description:
      'The chain enforces access control. Gateways and HTTP libraries add headers, which must not lock a client out.',
    sends: 'GET of the identifiers and a build, with a meaningless Authorization header.',
    decides: 'HTTP 200 for both.',
    fix: 'Require no Authorization header for reading and building, and ignore one if it is sent.',
    async run(context) {
      const { registry } = context
      const headers = { authorization: 'Bearer of-no-meaning' }
      const { updateAlsoKnownAs: body } = (await prepareBodies(context)).bodies
      const list = (more?: typeof headers) => registry.get('identifiers', more)
      const build = (more?: typeof headers) =>
        registry.post('contract/updateAlsoKnownAs', body, more)
      for (const [what, request] of Object.entries({ 'A list': list, 'A build': build })) {
        const premise = `${what} without an Authorization header`
        const expectedAnswer = await jsonAsPremise(what, request(), premise)
        if (Object.keys(expectedAnswer).length === 0)
          return inconclusive(`${what} was answered with an empty object.`)
        requireJson(await request(headers), `${what} with an Authorization header`)
      }
      return held('An Authorization header makes no difference')
    },
  },
  'D70-encoded-or-plain': {
    title: 'A DID resolves with and without URL encoding',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2'],
    description:
      'Some clients encode the colons in the path and some do not; both forms are valid.',
    sends:
      'GET of a registered DID with colons, and with %3A or %3a instead of all or one of them.',
    decides: 'HTTP 200 with the same document each time.',
    fix: 'Decode the path before you read the DID from it, so that %3A and %3a equal a colon.',
    async run({ registry }) {
      const did = await registeredDid(registry)
      const encoded = encodeURIComponent(did)
      const read = async (path: string) =>
        requireJson(await registry.get(`identifiers/${path}`), `GET of ${path}`)
      const expected = await read(encoded)
      for (const path of [did, encoded.replaceAll('%3A', '%3a'), did.replace(':', '%3A')]) {
        expectEqual(`the document of ${path}`, await read(path), expected)
      }
      return held('All paths return the same document')
    },
  },
  'D72-no-server-errors': {
    title: 'No client request causes a 5xx',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4', '2.errors/did-registry.7'],
    description:
      '500 is for errors of the API and the network. A client’s mistake that causes one hides the problem, and shows attackers where to look.',
    sends:
      'Hostile bodies to three endpoints, odd values of each member to each operation, broken, rejected and early transactions, broken keys, and odd paths and queries.',
    decides: 'None of the responses is a 5xx.',
    fix: 'Validate path, query and body before you use them, and reject invalid input with a 4xx. Include broken JSON, wrong types, deep nesting and NUL bytes.',
    async run(context) {
      const { registry, environment } = context
      await requireResolving(registry)
      const did = `${didPrefixes[environment]}z1B7`
      const { identity, bodies } = await prepareBodies(context)
      const members = Object.entries(bodies).flatMap(([operation, body]) =>
        Object.keys(body).flatMap((member) =>
          dueCases(context, oddValues, 1).map(
            (value) =>
              [
                `${operation} with ${JSON.stringify(value)} as ${member}`,
                () => registry.post(`contract/${operation}`, { ...body, [member]: value }),
              ] as const,
          ),
        ),
      )
      const { addVerificationMethod } = bodies
      const keys = oddKeys.map((key) => {
        const publicKey = toHex(Buffer.from(key))
        const body = { ...addVerificationMethod, publicKeyType: 'JsonWebKey2020', publicKey }
        const request = () => registry.post('contract/addVerificationMethod', body)
        return [`The key ${key}`, request] as const
      })
      const transactions = oddTransactions.map((raw) => {
        const body = { signedRawTransaction: raw }
        const request = () => registry.post('transactions/send', body)
        return [`The transaction ${JSON.stringify(raw)}`, request] as const
      })
      const update = await asPremise('building (see D02)', buildUpdate(registry, identity))
      const signed = Object.entries(refusedChanges).map(([what, changes]) => {
        const raw = signTyped({ ...update, ...changes }, identity.privateKey)
        const request = () => registry.post('transactions/send', { signedRawTransaction: raw })
        return [`A transaction ${what}`, request] as const
      })
      const raw = signLegacy(
        { unsigned: update, privateKey: identity.privateKey },
        { change: (signature) => ({ ...signature, s: 2n ** 256n - 1n }) },
      )
      const invalid = () => registry.post('transactions/send', { signedRawTransaction: raw })
      // EIP-2681 limits nonces to 64 bits, and a signed integer has 63.
      const late = ['0xfffffffffffffffe', '0x10000000000000000'].map((nonce) => {
        const { privateKey } = identity
        const signedRawTransaction = signLegacy({ unsigned: { ...update, nonce }, privateKey })
        const request = () => registry.post('transactions/send', { signedRawTransaction })
        return [`A transaction with the nonce ${nonce}`, request] as const
      })
      const posts = Object.entries(hostileBodies).flatMap(([what, body]) =>
        [
          'contract/insertFirstDidDocument',
          'contract/addVerificationMethod',
          'transactions/send',
        ].map((path) => [`${what} to ${path}`, () => registry.post(path, body)] as const),
      )
      const paths = [
        `identifiers/${did}?valid-at=-1`,
        `identifiers/${did}?valid-at=1e400`,
        `identifiers/${did}?valid-at=1&valid-at=2`,
        'identifiers/%00',
        'identifiers/%ff',
        'identifiers/%zz',
        `identifiers/${'a'.repeat(4000)}`,
        'identifiers?page=99999999999999999999999&pageSize=99999999999999999999999',
        'identifiers?page[]=1&page[x]=2',
        'contract/updateAlsoKnownAs',
        'transactions/send',
      ]
      const gets = paths.map((path) => [path.slice(0, 80), () => registry.get(path)] as const)
      return findNoServerError(
        Object.fromEntries([
          ...posts,
          ...members,
          ...keys,
          ...transactions,
          ...signed,
          ...gets,
          ['A transaction with an invalid signature', invalid],
          ...late,
        ]),
      )
    },
  },
  'D137-chain-outage': {
    title: 'While the chain is unavailable, requests return 500 and not a 4xx',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.errors/did-registry.7',
      '2.errors/did-registry.5',
      '2.errors/did-registry.4',
      '2.errors/did-registry.1',
    ],
    description:
      'A 404 would mean that the issuer does not exist: verifiers would reject its credentials. A 400 would make a client build its transaction again.',
    sends:
      'GET of a registered DID, updateAlsoKnownAs, and a signed transaction, while the registry is disconnected from its chain.',
    decides:
      'HTTP 500 with error and error_description, or, for the first two, a response without the chain. A 4xx or another document is a FAIL; another 5xx, another body, or the acceptance of the transaction is a WARN.',
    fix: 'If the chain node cannot be reached, return 500 and an error such as chain_unavailable. Return 404 only if the contract says that the DID is not registered.',
    needs: ['onboarding-node', 'outage'],
    async run({ registry, setChainOutage }) {
      const identity = await registry.register()
      const { did, address: from } = identity
      const read = () => registry.get(`identifiers/${encodeURIComponent(did)}`)
      const document = await jsonAsPremise('resolving a DID (see D01)', read())
      const built = await asPremise('building (see D02)', buildUpdate(registry, identity))
      const signedRawTransaction = signTyped(built, identity.privateKey)
      const update = { did, alsoKnownAs: 'urn:oid:1.2.3', from }
      await setChainOutage(true)
      const reading = await read()
      const building = await registry.post('contract/updateAlsoKnownAs', update)
      const sending = await registry.post('transactions/send', { signedRawTransaction })
      await setChainOutage(false)
      if (reading.status === 200) expectEqual('the document', reading.json, document)
      return findEach([reading, building, sending], async (answer) => {
        const { method, url, status, json } = answer
        const kind = classifyStatus(status)
        const what = `Without a chain, ${method} ${new URL(url).pathname} was answered with HTTP ${status}`
        if (status === 429) return inconclusive(what)
        if (kind === 'refused') return broken(what, { expected: 500, actual: status })
        if (kind === 'accepted' && answer !== sending) return held(what)
        const { error, error_description: text } = membersOf(json)
        const isDocumented = [error, text].every((each) => /\w/.test(String(each ?? '')))
        if (status === 500 && isDocumented) return held(what)
        const expected = 'HTTP 500 with error and error_description'
        return broken(what, { level: 'practice', expected, actual: json ?? status })
      })
    },
  },
  'D74-documentation': {
    title: 'The interactive documentation is at its documented path',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.what-the-service-does.4'],
    description: 'Developers who integrate the registry start there.',
    sends: 'GET /api in pre-production, GET /api/v1 in production.',
    decides: 'HTTP 200 with an HTML page, possibly after redirects.',
    fix: 'Serve the documentation as an HTML page at /api in pre-production and at /api/v1 in production.',
    async run({ httpAs, baseUrl, environment }) {
      const path = environment === 'pre' ? '/api' : '/api/v1'
      return findDocumentation(httpAs('developer'), `${baseUrl}${path}`)
    },
  },
})
