import { randomBytes } from 'node:crypto'
import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'

export const check = defineTirCheck({
  id: 'T10',
  title: 'setAttributeData before setAttributeMetadata comes to nothing',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.13'],
  description: 'An accreditation that nobody has published must not be found.',
  sends: 'setAttributeData for a new attribute, signed by the controller of its DID.',
  decides: 'It is reverted or refused, and there is no such attribute.',
  needs: ['accreditor'],
  async run({ tir, accreditor }) {
    const { did, signer } = await accreditor()
    const attributeId = randomBytes(32).toString('hex')
    return findAttributeUnchanged(tir, {
      what: 'setAttributeData before setAttributeMetadata',
      did,
      attributeId,
      attempt: () => tir.attemptData({ did, attributeId, jwt: 'e30.e30.c2ln' }, signer),
    })
  },
})
