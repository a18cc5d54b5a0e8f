import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T07',
  title: 'Nobody accredits in the name of a TAO that it does not control',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10', '2.what-the-service-does.3'],
  description: 'taoDid is the one who accredits: with a stranger’s signature it is forged.',
  sends: 'setAttributeMetadata with the TAO’s DID and attribute, signed by another account.',
  decides: 'It is reverted or refused, and there is no such attribute.',
  needs: ['accreditor'],
  async run({ tir, didRegistry, environment, accreditor }) {
    const by = await accreditor()
    const metadata = metadataOf(by, environment)
    const stranger = didRegistry.createIdentity()
    return findAttributeUnchanged(tir, {
      what: 'A publication by somebody who does not control the TAO',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, stranger),
      allowed: () => tir.attemptMetadata(metadata, by.signer),
    })
  },
})
