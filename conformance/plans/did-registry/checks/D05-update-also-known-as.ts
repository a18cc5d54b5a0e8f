import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D05',
  title: 'updateAlsoKnownAs replaces the alternative identifier as it is',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.5'],
  description: 'Others find the organization by it, letter by letter.',
  sends: 'updateAlsoKnownAs with capitals and small letters in it.',
  decides: 'alsoKnownAs of the document is exactly that text.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-Changed05'
    await registry.write('updateAlsoKnownAs', { did: identity.did, alsoKnownAs }, identity)
    const document = await registry.requireDocument(identity.did)
    expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
    return held('The document has the new alsoKnownAs')
  },
})
