import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { callDidRegistry, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectJson } from '#scenarios/harness/expectations.ts'

interface ChainEvent {
  readonly event: string
  readonly transactionHash: string
  readonly args: Readonly<Record<string, unknown>>
}

export const scenario = defineScenario({
  id: 'key-lifecycle/history',
  title: 'The life of a DID can be read back, event by event',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
Every change leaves an event on the chain. An organization registers, adds a use and a key, renames
itself, lets the key expire. An auditor then reads the DID's history at the explorer: the events, in
order, each with the hash that the sender got. The event of the registration comes first, then those
of the key and the two uses that it brings.

The control interface explains the same transactions by the same events, \`VerificationMethodAdded\` and
\`VerificationRelationshipAdded\` among them, as document 2 names them.`,
  references: [
    { document: 'Document 2', section: 'Events' },
    { document: 'docs/registries.md', section: 'Explorer' },
    { document: 'Assumptions', section: 'A-15' },
  ],

  async run(context) {
    const { step, control, now } = context
    const { writeDid } = openRegistries(context)
    const own = await step('An organization registers a DID', () => registerDid(context))
    const { did } = own
    const { vMethodId, publicKey } = createOwnIdentity(context, 'second key')
    const hashes = await step('It adds a key, renames itself, lets the key expire', async () => {
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
