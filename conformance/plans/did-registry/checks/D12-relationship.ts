import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { methodOf } from '../method-of.ts'

export const check = defineDidRegistryCheck({
  id: 'D12',
  title: 'addVerificationRelationship lists the method in assertionMethod by its full id',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.13',
    '2.resources-and-their-fields/did-document.1',
    '2.states-and-transitions.3',
  ],
  description:
    'A verifier looks for the kid of a credential, a DID URL, in assertionMethod; an id of another form is not found.',
  sends: 'addVerificationRelationship for assertionMethod and the control key.',
  decides: 'assertionMethod holds <did>#<vMethodId>, which is the id of the method as well.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    await addUse(registry, identity, { notBefore: now() - 60, notAfter: now() + 3600 })
    const document = await registry.requireDocument(did)
    const id = `${did}#${vMethodId}`
    expectEqual('assertionMethod', document.assertionMethod, [id])
    expectEqual('id of the method', methodOf(document, vMethodId).id, id)
    return held('assertionMethod and the method have the same DID URL')
  },
})
