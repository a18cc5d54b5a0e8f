import { isDeepStrictEqual } from 'node:util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import type { DidDocument } from '#core/did/did-document.ts'
import { checksumAddress } from '#core/ethereum/account.ts'
import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { pollUntil } from '#scenarios/harness/waiting.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, findRefusal, requireJson } from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { chunkedBody, findChunksRead, findHeadAnswered } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import { prepareBodies, registeredDid } from '../operations.ts'

const [jsonLd, json] = ['application/did+ld+json', 'application/did+json']

/** The types that a client with this Accept header gets; none: it gets a 406. */
const acceptable: Readonly<Record<string, readonly string[]>> = {
  [`${json};q=0.9, ${jsonLd};q=0.8`]: [json],
  [`${json};q=0.5, ${jsonLd}`]: [jsonLd],
  [`${jsonLd}; q=0.001 , ${json}; q=0.002`]: [json],
  [`${jsonLd};q=0, */*;q=0.1`]: [json],
  [`*/*;q=0.9, ${json};q=0.1`]: [jsonLd],
  [`${json};q=1, ${jsonLd};q=0.5`]: [json],
  [`${json};q=1.000, ${jsonLd};q=0.999`]: [json],
  [`${jsonLd};q=0., ${json};q=0.1`]: [json],
  [`${json};xq=0, ${jsonLd};q=0.5`]: [json],
  [`text/html, ${json}`]: [json],
  'text/html, application/*;q=0.1': [jsonLd, json],
  'text/html;q=0.9, */*;q=0.1': [jsonLd, json],
  [`${json};profile="a, b;q=0;\\"${jsonLd}"`]: [json],
  [`text/html;profile="a,${jsonLd}", ${json}`]: [json],
  [`text/html;profile="a", ${json}`]: [json],
  [`text/html;profile="a\\", ${jsonLd}", ${json}`]: [json],
  'APPLICATION/DID+JSON': [json],
  [`${jsonLd};q=0, ${json};q=0`]: [],
  'text/*': [],
  '*/*;q=0': [],
}

/** How many items a page must have. */
const expectedOn = (page: number, pageSize: number, total: number) =>
  Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize))

const zPage = z.looseObject({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
  howMany: z.number(),
  items: z.array(z.string()),
})

type Page = z.infer<typeof zPage>

async function readPage(
  registry: DidRegistryUnderTest,
  page: number,
  pageSize: number,
): Promise<Page> {
  const what = `Page ${page} with pageSize ${pageSize}`
  const actual = requireJson(
    await registry.get(`identifiers?page=${page}&pageSize=${pageSize}`),
    what,
  )
  const parsed = zPage.safeParse(actual)
  if (parsed.success) return parsed.data
  const expected = 'numbers page, pageSize, total and howMany, and a list of strings as items'
  endCheck(broken(`${what} does not have the documented members`, { expected, actual }))
}

/** What a document says at an instant. */
async function readAt(registry: DidRegistryUnderTest, did: string, time?: number) {
  const { alsoKnownAs, controller, ...document } = await registry.requireDocument(did, time)
  return {
    alsoKnownAs,
    '@context': document['@context'],
    controller: controller.map((address) => address.toLowerCase()).sort(),
  }
}

const jwkOf = ({ privateKey }: FreshIdentity) => {
  const { d, ...jwk } = privateJwkFromHex(privateKey)
  return jwk
}

/**
 * A new identity whose address begins with a zero, and has a letter whose digit of the hash is 8,
 * the lowest digit for upper case (EIP-55).
 */
function withTellingAddress(registry: DidRegistryUnderTest): FreshIdentity {
  for (;;) {
    const identity = registry.createIdentity()
    const digits = identity.address.slice(2).toLowerCase()
    const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
    const isTelling = [...digits].some((digit, at) => /[a-f]/.test(digit) && hash[at] === '8')
    if (isTelling && digits.startsWith('0')) return identity
  }
}

/** The addresses with upper case and lower case whose checksum is wrong. */
const wrongChecksums = ({ controller }: Pick<DidDocument, 'controller'>) =>
  controller.filter(
    (address) =>
      /[a-f]/.test(address.slice(2)) &&
      /[A-F]/.test(address) &&
      address !== checksumAddress(address),
  )

export const checks = defineChecks<DidRegistryContext>({
  'D125-accept-with-weights': {
    title: 'Accept is read with its weights, wildcards and parameters',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2', '2.errors/did-registry.8'],
    clauses: ['RFC 9110, 12.5.1'],
    description:
      'A client that prefers one type and can read the other sends both. A registry that compares the whole header locks it out.',
    sends:
      'GET of a registered DID with several ranges, weights of 0 and 0.001, wildcards, quoted parameters, and upper case in Accept.',
    decides:
      'The content type is the one with the highest weight, or HTTP 406 if none has a weight above 0.',
    fix: 'Parse Accept as RFC 9110 says: the most specific range of each type has its weight, 0 excludes it. Use a library for it.',
    async run({ registry }) {
      const did = await registeredDid(registry)
      const path = `identifiers/${encodeURIComponent(did)}`
      const finding = await findEach(Object.entries(acceptable), async ([accept, types]) => {
        const answer = await registry.get(path, { accept })
        const what = `GET with Accept: ${accept}`
        if (types.length === 0) return findRefusal(answer, { what, statuses: [406] })
        requireJson(answer, what)
        const [type = ''] = answer.contentType.split(';')
        const actual = type.trim().toLowerCase()
        const observed = `${what} was answered as ${actual}`
        return types.includes(actual)
          ? held(observed)
          : broken(observed, { expected: types, actual })
      })
      if (finding.kind !== 'held') return finding
      return held(`${Object.keys(acceptable).length} Accept headers had the best type`)
    },
  },
  'D126-all-pages': {
    title: 'Pages of each size have all DIDs once, and the last page has the rest',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.1', '2.limits.1', '2.limits.2'],
    description: 'A mirror that reads page by page must neither miss a DID nor wait for more.',
    sends:
      'GET of the first pages with the sizes 1, 2, 3, 7 and 100, or 10 if it is rejected, of the last page and the one after it; the first and last pages again after changes of the newest DIDs; and a page of 101.',
    decides:
      'howMany is the number of items, which follows from total; the items of all sizes are the same list, without repetition. A size above 10 may be rejected, or lowered to the pageSize of the response. If the change of a DID changes the order, the result is a WARN.',
    fix: 'Begin a page at (page - 1) * pageSize in a fixed order, such as that of registration, return at most pageSize items and the rest on the last page, and the number of all DIDs as total.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const owners = [
        await registry.register(),
        await registry.register(),
        await registry.register(),
      ]
      const require = async (page: number, asked: number): Promise<Page> => {
        const found = await readPage(registry, page, asked)
        const { items, howMany, total } = found
        // The profile does not name the largest size: a registry may reject or lower others.
        const pageSize = asked > 10 ? Math.max(10, Math.min(asked, found.pageSize)) : asked
        const what = `page ${page} with pageSize ${pageSize}`
        const expected = expectedOn(page, pageSize, total)
        const actual = { page: found.page, pageSize: found.pageSize, howMany, items: items.length }
        expectEqual(what, actual, { page, pageSize, howMany: expected, items: expected })
        return found
      }
      const isRejected = async (pageSize: number) =>
        (await registry.get(`identifiers?page=1&pageSize=${pageSize}`)).status === 400
      const largest = await require(1, (await isRejected(100)) ? 10 : 100)
      const { items: first, total } = largest
      expectEqual('number of different items', new Set(first).size, first.length)
      for (const size of [1, 2, 3, 7]) {
        const read: string[] = []
        for (let page = 1; read.length < Math.min(first.length, 3 * size); page += 1) {
          read.push(...(await require(page, size)).items)
        }
        const both = [read.slice(0, first.length), first.slice(0, read.length)] as const
        expectEqual(`items with pageSize ${size}`, ...both)
        const last = Math.ceil(total / size)
        const { items } = await require(last, size)
        expectTrue('the last page has items', items.length > 0, items)
        await require(last + 1, size)
      }
      // New DIDs are usually at one of the two ends.
      const last = Math.ceil(total / 10)
      const ends = [...new Set([1, Math.max(last - 1, 1), last])]
      const readEnds = () => Promise.all(ends.map(async (page) => (await require(page, 10)).items))
      const before = await readEnds()
      for (const owner of owners) {
        const body = { did: owner.did, alsoKnownAs: 'urn:oid:1.2.3:reordered' }
        await asPremise('a change (see D05)', registry.write('updateAlsoKnownAs', body, owner))
        const after = await readEnds()
        const same = after.map((items, at) => items.slice(0, before[at]?.length))
        if (isDeepStrictEqual(same, before)) continue
        const reason = 'The order of the DIDs has changed with the document of one of them'
        return broken(reason, { level: 'practice', expected: before, actual: after })
      }
      const { pageSize } = (await isRejected(101)) ? largest : await require(1, 101)
      return held(`The pages are consistent, up to ${pageSize} items`)
    },
  },
  'D127-first-document-in-full': {
    title: 'The first document has every documented member, with its type and value',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/did-document.1',
      '2.resources-and-their-fields/did-document.2',
      '2.endpoints/did-registry.18',
    ],
    description:
      'Verifiers compare the id of a method with kid, its controller with the issuer, and use its key: one wrong member, and no signature is valid.',
    sends:
      'insertFirstDidDocument without baseDocument, for a key whose address begins with a zero, and with a baseDocument; then GET of both DIDs.',
    decides:
      '@context has strings, or is that of baseDocument; controller is the address of the key, with all digits and a correct checksum if it has one; verificationMethod has the key with id, type, controller and its coordinates, and no private key; assertionMethod is empty.',
    fix: 'Return @context, id, controller, verificationMethod, assertionMethod and alsoKnownAs as documented. A method has <did>#<vMethodId> as id, the DID as controller, and its key as publicKeyJwk.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const owner = withTellingAddress(registry)
      const { did, vMethodId, address } = owner
      const first = registry.firstDocumentOf(owner)
      const writing = registry.write('insertFirstDidDocument', first, registry.onboardingNode)
      await asPremise('Registering a DID (see D01)', writing)
      const answer = await registry.get(`identifiers/${encodeURIComponent(did)}`)
      const document = requireJson(answer, 'The DID document')
      const { verificationMethod, assertionMethod, controller, id } = document
      expectEqual('id', id, did)
      const context = [document['@context']].flat()
      const isContext =
        context.length > 0 && context.every((entry) => typeof entry === 'string' && entry !== '')
      expectTrue('@context has strings that are not empty', isContext, document['@context'])
      expectTrue('@context is a list', Array.isArray(document['@context']), document['@context'])
      const method = { id: `${did}#${vMethodId}`, type: 'JsonWebKey2020', controller: did }
      // Further members are allowed in a method and in a JWK, except for the private key.
      const methods = [verificationMethod].flat().map((each) => {
        const { id, type, controller, publicKeyJwk } = membersOf(each)
        const { kty, crv, x, y, d } = membersOf(publicKeyJwk)
        return {
          id,
          type,
          controller,
          publicKeyJwk: { kty, crv, x, y, ...(d !== undefined && { d }) },
        }
      })
      expectEqual('verificationMethod', methods, [{ ...method, publicKeyJwk: jwkOf(owner) }])
      expectEqual('assertionMethod', assertionMethod, [])
      const controllers = [controller].flat().map(String)
      const lower = controllers.map((each) => each.toLowerCase())
      expectEqual('controller', lower, [address.toLowerCase()])
      const wrong = wrongChecksums({ controller: controllers })
      expectEqual('addresses in controller with a wrong checksum', wrong, [])
      const given = ['https://www.w3.org/ns/did/v1', 'https://example.org/first/v1']
      const baseDocument = JSON.stringify({ '@context': given })
      const second = await registry.register({ baseDocument })
      const { '@context': contexts } = await registry.requireDocument(second.did)
      expectEqual('@context of a first document with a baseDocument', contexts, given)
      return held('The document has every member')
    },
  },
  'D128-history-of-the-document': {
    title: 'valid-at returns alsoKnownAs, @context and controller of that time',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2'],
    description:
      'Who examines an old credential needs the document of that day, with the name and the controllers of that day.',
    sends:
      'A registration, and in later blocks two changes of alsoKnownAs, @context and controllers; then GET with valid-at of each second in between.',
    decides:
      'Each state is returned for a time at which it was current, and none before or after that.',
    fix: 'Store each value with the time of its block, and return the latest value that is not later than valid-at.',
    needs: ['onboarding-node', 'chain'],
    async run({ registry, askNode, signal }) {
      const blockTime = async () => {
        const block = (await askNode('eth_getBlockByNumber', ['latest', false])) as
          | { timestamp?: string }
          | undefined
        const time = Number(block?.timestamp)
        if (Number.isInteger(time)) return time
        endCheck(inconclusive('The chain node returned no block'))
      }
      const owner = await registry.register()
      const second = await registry.register()
      const { did } = owner
      const states = [{ time: await blockTime(), state: await readAt(registry, did) }]
      for (const [at, operation] of ['addController', 'revokeController'].entries()) {
        const previous = states.at(-1)?.time ?? 0
        const nextBlock = async () => {
          const alsoKnownAs = `urn:oid:1.2.3:${crypto.randomUUID()}`
          const other = { did: second.did, alsoKnownAs }
          await registry.write('updateAlsoKnownAs', other, second)
          return blockTime()
        }
        // The chain has a block of a later second as soon as the clock has moved on.
        await pollUntil({
          ask: nextBlock,
          isDone: (seconds) => seconds > previous,
          limitMilliseconds: 30_000,
          signal,
        })
        const context = [`https://example.org/history/${at}`]
        const baseDocument = JSON.stringify({ '@context': context })
        const writes = {
          updateAlsoKnownAs: { alsoKnownAs: `urn:oid:1.2.3:${at}` },
          updateBaseDocument: { baseDocument },
          [operation]: { controller: second.did },
        }
        for (const [name, body] of Object.entries(writes)) {
          const writing = registry.write(name, { did, ...body }, owner)
          await asPremise(`${name} (see D06, D07, D08)`, writing)
        }
        states.push({ time: await blockTime(), state: await readAt(registry, did) })
      }
      await requireEach(states.entries(), async ([at, { time, state }]) => {
        const actual = await readAt(registry, did, time)
        if (isDeepStrictEqual(actual, state)) return
        return broken(`The document of state ${at + 1} of 3 differs with valid-at`, {
          expected: state,
          actual,
        })
      })
      return held('Each of three states is returned for its time')
    },
  },
  'D145-head': {
    title: 'HEAD finds each resource that GET finds',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 9110, 9.1'],
    description:
      'Monitors, caches and command line tools send HEAD to find out whether a resource exists.',
    sends: 'GET and HEAD of the list of DIDs and of a registered DID.',
    decides: 'A HEAD that returns 404 or a 5xx is a WARN.',
    fix: 'Respond to HEAD as to GET, but without the body. Most frameworks do so if the route of GET also has the method HEAD.',
    async run({ registry, baseUrl, httpAs }) {
      const did = await registeredDid(registry)
      const paths = ['identifiers', `identifiers/${encodeURIComponent(did)}`]
      const urls = paths.map((path) => `${baseUrl}/api/v1/${path}`)
      return findHeadAnswered(httpAs('organization'), urls)
    },
  },
  'D146-chunks': {
    ...chunkedBody,
    sends: 'updateAlsoKnownAs with Content-Length, and the same with Transfer-Encoding: chunked.',
    decides: 'Both are accepted. A registry may also require the length with HTTP 411.',
    async run(context) {
      const { bodies } = await prepareBodies(context)
      const { baseUrl, httpAs } = context
      const url = `${baseUrl}/api/v1/contract/updateAlsoKnownAs`
      return findChunksRead(httpAs('organization'), url, { json: bodies.updateAlsoKnownAs })
    },
  },
})
