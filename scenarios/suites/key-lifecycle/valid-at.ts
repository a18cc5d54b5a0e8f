import { registerDid, usualValidity } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/valid-at',
  title: 'A key is valid from the first to the last second of its time, both included',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
A key gets \`assertionMethod\` for a time that is yet to come. \`valid-at\` tells the state of the
document at an instant: one second before, the key is not there; at \`notBefore\` and at \`notAfter\`
it is; one second later it is gone.

At an instant before the registration there was no such DID: 404. What is no number is 400.`,
  references: [
    { document: 'Document 2', section: 'Endpoints, DID registry' },
    { document: 'Assumptions', section: 'A-06, A-08' },
  ],

  async run(context) {
    const { step, now } = context
    const { didRegistry, writeDid } = openRegistries(context)
    const [notBefore, notAfter] = [now() + 1000, now() + 2000]

    const { did, vMethodId, kid, ...signer } = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    await step('Its key gets assertionMethod from 1000 to 2000 seconds from now', () => {
      const body = { did, name: 'assertionMethod', vMethodId, notBefore, notAfter }
      return writeDid('addVerificationRelationship', body, signer)
    })
    await step('It is there within that time, and not a second longer', async () => {
      for (const [time, expected] of [
        [notBefore - 1, []],
        [notBefore, [kid]],
        [notAfter, [kid]],
        [notAfter + 1, []],
      ] as const) {
        const document = expectPresent('the document', await didRegistry.resolve(did, time))
        expectEqual(
          `assertionMethod at notBefore + ${time - notBefore}`,
          document.assertionMethod,
          [...expected],
        )
      }
    })
    await step('Before its registration there was no such DID', async () => {
      // The key itself was declared valid for a day already.
      const before = usualValidity(context).notBefore + 60
      expectEqual('the document', await didRegistry.resolve(did, before), undefined)
    })
    await step('What is no time is refused', async () => {
      const path = `identifiers/${encodeURIComponent(did)}?valid-at=`
      for (const text of ['yesterday', '0x10', '12,5', '']) {
        const answer = await callDidRegistry(context, path + encodeURIComponent(text))
        expectRegistryRefusal(answer, 400)
      }
    })
  },
})
