import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T10',
  title: 'setAttributeData before setAttributeMetadata comes to nothing',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.13'],
  description: 'An accreditation that nobody has published must not be found.',
  sends:
    'setAttributeData for a new attribute, signed by the TAO whose DID it is for; then both writes in their order.',
  decides:
    'It is reverted or refused, and there is no such attribute, while it is applied after the metadata.',
  needs: ['accreditor'],
  async run(context) {
    const { tir, environment, accreditor } = context
    const by = await accreditor()
    // The signer controls the subject as well, so that nothing but the order is wrong.
    const metadata = { ...metadataOf(by, environment), did: by.did }
    const { did, attributeId } = metadata
    const jwt = signBody(context, metadata, by)
    return findAttributeUnchanged(tir, {
      what: 'setAttributeData before setAttributeMetadata',
      did,
      attributeId,
      prepare: () => tir.writeMetadata(metadata, by.signer),
      allowed: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
      attempt: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
    })
  },
})
