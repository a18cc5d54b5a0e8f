import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T08',
  title: 'A TI accredits nobody',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/types-used-in-the-tir.4'],
  description: 'Whoever may issue credentials may not say who else may.',
  sends: 'A registered DID is published as TI; it then publishes another TI below itself.',
  decides: 'The second publication is reverted or refused, and there is no such attribute.',
  needs: ['accreditor', 'onboarding-node'],
  async run({ tir, didRegistry, environment, accreditor }) {
    const by = await accreditor()
    const signer = await didRegistry.register()
    const own = { ...metadataOf(by, environment), did: signer.did }
    await tir.writeMetadata(own, by.signer)
    const metadata = metadataOf(own, environment)
    return findAttributeUnchanged(tir, {
      what: 'A publication by a TI',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, signer),
    })
  },
})
