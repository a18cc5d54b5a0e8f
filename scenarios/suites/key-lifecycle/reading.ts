import { createDid } from '#core/did/did-proof.ts'
import { createOwnIdentity, ownPrivateKey, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const reading = defineScenario({
  id: 'key-lifecycle/reading',
  title: 'Documents are served in the requested form, lists page by page',
  algorithms: ['EdDSA'],
  description: `
\`application/did+ld+json\` and \`application/did+json\` are both supported; any other \`Accept\` is 406. A
malformed identifier, or one of the other environment, is 400; a valid identifier that is not registered
is 404.

A page of the list has ten identifiers by default. All pages together contain each identifier once. Page
0, and a page size that is too large, are 400.`,
  references: cite(
    'Profile: 2.endpoints/did-registry',
    'Profile: 2.errors/did-registry.8',
    'Profile: 2.limits',
    'Assumptions: A-13',
  ),

  async run(context) {
    const { step } = context
    const { did } = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const resolve = (identifier: string, accept?: string) =>
      callDidRegistry(context, `identifiers/${encodeURIComponent(identifier)}`, {
        headers: accept === undefined ? {} : { accept },
      })
    await step('The document is available in both forms', async () => {
      for (const type of ['application/did+ld+json', 'application/did+json']) {
        const answer = expectStatus(await resolve(did, type), 200)
        expectEqual('the content type', answer.contentType, type)
      }
    })
    await step('Other forms are not available', async () => {
      for (const accept of ['text/html', 'application/did+ld+json;q=0', 'image/*']) {
        expectRegistryRefusal(await resolve(did, accept), 406)
      }
    })
    await step('An identifier that is not a DID of this registry is rejected', async () => {
      const other = did.startsWith('did:org:uc-pre:') ? 'pro' : 'pre'
      const elsewhere = createDid(ownPrivateKey(context, 'organization'), other).did
      for (const identifier of ['hello', 'did:key:z6Mk', `${did}#key`, `${did}0`, elsewhere]) {
        expectRegistryRefusal(await resolve(identifier), 400)
      }
      const unknown = createOwnIdentity(context, 'nobody').did
      expectRegistryRefusal(await resolve(unknown), 404)
    })
    await step('The list contains it once', async () => {
      const first = expectJson(await callDidRegistry(context, 'identifiers'), 200)
      const total = Number(first.total)
      expectIncludes('the first page', first, { page: 1, pageSize: 10 })
      expectTrue('the first page is full or all', first.howMany === Math.min(10, total), first)
      const found: unknown[] = []
      // Other scenarios register meanwhile, so the loop reads up to the current end.
      for (let page = 1; ; page += 1) {
        const path = `identifiers?page=${page}&pageSize=100`
        const { items, howMany } = expectJson(await callDidRegistry(context, path), 200)
        found.push(...(items as unknown[]))
        if (Number(howMany) < 100) break
      }
      const times = found.filter((each) => each === did).length
      expectEqual('the occurrences in the list', times, 1)
    })
    await step('An invalid page is rejected', async () => {
      for (const query of ['page=0', 'page=-1', 'page=1.5', 'pageSize=0', 'pageSize=101']) {
        expectRegistryRefusal(await callDidRegistry(context, `identifiers?${query}`), 400)
      }
    })
  },
})

interface ChainEvent {
  readonly event: string
  readonly transactionHash: string
  readonly args: Readonly<Record<string, unknown>>
}

const history = defineScenario({
  id: 'key-lifecycle/history',
  title: 'The history of a DID can be read event by event',
  algorithms: ['EdDSA'],
  description: `
Every change emits an event on the chain. An organization registers, adds a relationship and a key, changes
its name, and lets the key expire. An auditor then reads the DID's history in the explorer: the events in
order, each with the hash that the sender received. The registration's event is first, followed by those
of its key and its two relationships.

The control interface explains the same transactions with the same events, for example
\`VerificationMethodAdded\` and \`VerificationRelationshipAdded\`, as the profile names them.`,
  references: cite('Profile: 2.events', 'docs/guides/registries.md: Explorer', 'Assumptions: A-15'),

  async run(context) {
    const { step, control, now } = context
    const { writeDid } = openRegistries(context)
    const own = await step('An organization registers a DID', registerDid)
    const { did } = own
    const { vMethodId, publicKey } = createOwnIdentity(context, 'second key')
    const hashes = await step('It adds a key, changes its name, lets the key expire', async () => {
      const method = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
      const added = await writeDid('addVerificationMethod', method, own)
      const alsoKnownAs = 'urn:example:renamed'
      const renamed = await writeDid('updateAlsoKnownAs', { did, alsoKnownAs }, own)
      const end = { did, vMethodId, notAfter: now() + 60 }
      return [added, renamed, await writeDid('expireVerificationMethod', end, own)]
    })
    const expected = [
      'FirstDidDocumentInserted',
      'VerificationMethodAdded',
      'VerificationRelationshipAdded',
      'VerificationRelationshipAdded',
      'VerificationRelationshipAdded',
      'VerificationMethodAdded',
      'AlsoKnownAsUpdated',
      'VerificationMethodExpired',
    ]
    await step('An auditor reads the history in order', async () => {
      const path = `explorer/identifiers/${encodeURIComponent(did)}/events?pageSize=3&page=`
      const events: ChainEvent[] = []
      for (const page of [1, 2, 3]) {
        const answer = expectJson(await callDidRegistry(context, `${path}${page}`), 200)
        expectIncludes('the page', answer, { page, pageSize: 3, total: expected.length })
        events.push(...(answer.items as ChainEvent[]))
      }
      expectEqual(
        'the events',
        events.map(({ event }) => event),
        expected,
      )
      expectEqual(
        'the hashes of the last three',
        events.slice(-3).map(({ transactionHash }) => transactionHash),
        hashes,
      )
      expectEqual('the DID of each', [...new Set(events.map(({ args }) => args.did))], [did])
    })
    await step('The testbed explains the transaction that added the key', async () => {
      const { events } = await control.readTransaction(hashes[0] ?? '')
      const names = events.map((each) => (each as { name?: string }).name)
      expectEqual('its events', names, ['VerificationMethodAdded'])
    })
  },
})

export const scenarios = [reading, history]
