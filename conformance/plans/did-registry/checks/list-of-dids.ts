import { didPrefixes } from '#core/did/did-org.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { asPremise, requireJson } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { findLateCopies, findStaleCopy } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'

/**
 * Pages of ten whose first position needs more than 32 bits: it becomes negative, or that of the
 * first page, if its upper bits are lost.
 */
const largePages = [429_496_730, 2 ** 31 + 1, Number.MAX_SAFE_INTEGER]

/** Of ten DIDs each, in which a new one is looked for. */
const mostPages = 10

export const checks = defineChecks<DidRegistryContext>({
  'D53-page-form': {
    title: 'The list of DIDs contains page, pageSize, total, howMany and items',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.1'],
    description: 'With them a client can read all DIDs and knows when it is finished.',
    sends:
      'GET of the identifiers with page=1 and pageSize=1, when at least two DIDs are registered.',
    decides: 'The four numbers are consistent integers, and items contains DIDs.',
    fix: 'Return page, pageSize, total and howMany as integers, and items as an array of DIDs. howMany is the length of items.',
    needs: ['onboarding-node'],
    async run({ registry, environment }) {
      await registry.register()
      await registry.register()
      const answer = await registry.get('identifiers?page=1&pageSize=1')
      const { page, pageSize, total, howMany, items } = requireJson(answer, 'The list of DIDs')
      expectEqual(
        'page, pageSize, howMany',
        { page, pageSize, howMany },
        { page: 1, pageSize: 1, howMany: 1 },
      )
      expectTrue(
        'total is an integer of at least 2',
        Number.isInteger(total) && Number(total) >= 2,
        total,
      )
      expectTrue(
        'items is a list with one element',
        Array.isArray(items) && items.length === 1,
        items,
      )
      const [did] = items as string[]
      expectTrue('the item is a DID', String(did).startsWith(didPrefixes[environment]), did)
      return held('The page has the documented form')
    },
  },
  'D54-default-page': {
    title: 'Without page and pageSize the first ten DIDs are listed',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.limits.1', '2.limits.2', '2.endpoints/did-registry.1'],
    description: 'A client that relies on the defaults skips DIDs if the defaults are different.',
    sends: 'GET of the identifiers without a query, with only pageSize=10, and with only page=1.',
    decides: 'page is 1, pageSize is 10, and there are at most ten items, each time.',
    fix: 'If the query has no page, use 1. If it has no pageSize, use 10.',
    run: ({ registry }) =>
      findEach(['', '?pageSize=10', '?page=1'], async (query) => {
        const answer = await registry.get(`identifiers${query}`)
        const what = `The list of DIDs (identifiers${query})`
        const { page, pageSize, items } = requireJson(answer, what)
        expectEqual(
          `page and pageSize of identifiers${query}`,
          { page, pageSize },
          { page: 1, pageSize: 10 },
        )
        const isShort = Array.isArray(items) && items.length <= 10
        expectTrue(`items of identifiers${query} has at most ten`, isShort, items)
        return held(`${what} has the defaults`)
      }),
  },
  'D55-next-page': {
    title: 'The second page follows the first one without a gap',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.1', '2.limits.1'],
    description: 'A client that reads all pages must get each DID once.',
    sends: 'GET of the identifiers with pageSize=1 and page 1 and 2, then with pageSize=2.',
    decides: 'The two pages together are the page of two.',
    fix: 'Sort the DIDs in a fixed order, such as that of their registration, and begin a page at (page - 1) * pageSize.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      await registry.register()
      await registry.register()
      const itemsOf = async (query: string) =>
        requireJson(await registry.get(`identifiers?${query}`), 'The list of DIDs')
          .items as string[]
      const first = await itemsOf('page=1&pageSize=1')
      const second = await itemsOf('page=2&pageSize=1')
      const both = await itemsOf('page=1&pageSize=2')
      expectEqual('both pages together', [...first, ...second], both)
      return held('The pages follow each other')
    },
  },
  'D57-page-past-the-end': {
    title: 'A page past the last one is empty',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.1'],
    description: 'A client that reads page by page stops there, without an error.',
    sends:
      'GET of the identifiers with a page far beyond the end, and with pages whose first position needs more than 32 bits.',
    decides:
      'HTTP 200 with howMany 0 and no items. Pages beyond 32 bits may also be rejected with 400.',
    fix: 'Respond to a page past the last one with 200, howMany 0 and an empty array items. Compute (page - 1) * pageSize with 64 bits, or reject pages beyond that with 400.',
    async run({ registry }) {
      const first = registry.get('identifiers?page=1&pageSize=10')
      const what = 'the first page (see D54)'
      await asPremise(
        what,
        first.then((taken) =>
          expectTrue('it has items', Array.isArray(requireJson(taken, what).items)),
        ),
      )
      return findEach([1_000_000, ...largePages], async (page) => {
        const answer = await registry.get(`identifiers?page=${page}&pageSize=10`)
        if (page !== 1_000_000 && answer.status === 400) {
          return held(`The page ${page} was rejected`)
        }
        const { howMany, items } = requireJson(answer, `The page ${page}`)
        expectEqual(
          `howMany and items of page ${page}`,
          { howMany, items },
          { howMany: 0, items: [] },
        )
        return held(`The page ${page} is empty`)
      })
    },
  },
  'D58-new-did-is-listed': {
    title: 'A registered DID is counted and contained in the list',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.1'],
    description: 'A mirror of the registry detects new organizations there.',
    sends:
      'GET of the identifiers before and after a registration, and of the first and last pages.',
    decides:
      'total has grown, and the new DID is on one of the pages. With more than a hundred DIDs, this is required only if the list ended with the two DIDs registered before. If caches may return the list for more than five seconds, or 304 confirms an older one, the result is a WARN.',
    fix: 'Count a DID in total, and return it in items, when its registration is mined. Do not serve an older list from a cache: set max-age to 5 seconds or less, or no-cache.',
    needs: ['onboarding-node'],
    async run({ registry, httpAs }) {
      const readFirst = () => registry.get('identifiers?page=1&pageSize=1')
      const count = async () => Number(requireJson(await readFirst(), 'The list of DIDs').total)
      /** Whether it is on a page; undefined if there are more than are read. */
      const isListed = async (did: string, total: number) => {
        // The profile does not name an order: it is usually on the last page, or on the first.
        const pages = Array.from({ length: Math.ceil(total / 10) }, (_, index) => index + 1)
        const read = [...pages.slice(-mostPages / 2).reverse(), ...pages.slice(0, mostPages / 2)]
        for (const page of new Set(read)) {
          const answer = await registry.get(`identifiers?page=${page}&pageSize=10`)
          const { items } = requireJson(answer, `Page ${page} of the DIDs`)
          if (Array.isArray(items) && items.includes(did)) return true
        }
        return pages.length > mostPages ? undefined : false
      }
      const itemAt = async (place: number) => {
        const answer = await registry.get(`identifiers?page=${place}&pageSize=1`)
        const { items } = requireJson(answer, 'The list of DIDs')
        return Array.isArray(items) ? items[0] : undefined
      }
      const { did: first } = await registry.register()
      const { did: second } = await registry.register()
      const old = await readFirst()
      const before = await count()
      const isAppended = (await itemAt(before - 1)) === first && (await itemAt(before)) === second
      // What a cache remembers of these pages must not outlive the next registration.
      await isListed(second, before)
      const { did } = await registry.register()
      const after = await count()
      expectTrue('total has grown by the new DID', after > before, { before, after })
      const found = (await isListed(did, after)) ?? (isAppended ? false : undefined)
      if (found === false) return broken('The new DID is on no page of the list', { expected: did })
      const copy = await findStaleCopy(httpAs('verifier'), old)
      const finding = copy ?? findLateCopies(old, 'a registration')
      return finding ?? held(found ? 'The new DID is in the list' : 'The new DID is counted')
    },
  },
})
