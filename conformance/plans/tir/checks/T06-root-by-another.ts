import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T06',
  title: 'Nobody but the operator publishes a ROOT_TAO',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
  description: 'Whoever makes itself a root accredits whomever it likes.',
  sends: 'setAttributeMetadata with issuerType ROOT_TAO, signed by an accredited TAO.',
  decides: 'It is reverted or refused, and there is no such attribute.',
  needs: ['accreditor'],
  async run({ tir, environment, accreditor }) {
    const by = await accreditor()
    const metadata = metadataOf(by, environment, 'ROOT_TAO')
    return findAttributeUnchanged(tir, {
      what: 'A ROOT_TAO by somebody other than the operator',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, by.signer),
      allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
    })
  },
})
