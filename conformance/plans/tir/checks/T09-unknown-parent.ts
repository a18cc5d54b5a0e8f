import { randomBytes } from 'node:crypto'
import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T09',
  title: 'An accreditation whose parent is not there is refused',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10'],
  description:
    'attributeIdTao is the accreditation by which the TAO accredits; without it it has none.',
  sends: 'setAttributeMetadata by a TAO with an attributeIdTao that nobody has published.',
  decides: 'It is reverted or refused, and there is no such attribute.',
  needs: ['accreditor'],
  async run({ tir, environment, accreditor }) {
    const by = await accreditor()
    const attributeIdTao = randomBytes(32).toString('hex')
    const metadata = { ...metadataOf(by, environment), attributeIdTao }
    return findAttributeUnchanged(tir, {
      what: 'A publication below an attribute that is not there',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, by.signer),
      allowed: () =>
        tir.attemptMetadata({ ...metadata, attributeIdTao: by.attributeId }, by.signer),
    })
  },
})
