import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D07',
  title: 'addController adds one that may write, and whose address the document shows',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.7', '2.resources-and-their-fields/did-document.1'],
  description:
    'The document tells who may change it. The body of addController is not shown in document 2: the kit sends {did, controller, from}.',
  sends: 'addController with another registered DID; then updateAlsoKnownAs signed by its key.',
  decides:
    'controller holds the addresses of both keys, and the second controller’s write is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const [identity, second] = [await registry.register(), await registry.register()]
    const { did } = identity
    await registry.write('addController', { did, controller: second.did }, identity)
    const document = await registry.requireDocument(did)
    const controllers = document.controller.map((each) => each.toLowerCase()).sort()
    const both = [identity.address, second.address].map((each) => each.toLowerCase()).sort()
    expectEqual('controller', controllers, both)
    await registry.write('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:oid:1.2.3' }, second)
    return held('The document shows both controllers, and the second one may write')
  },
})
