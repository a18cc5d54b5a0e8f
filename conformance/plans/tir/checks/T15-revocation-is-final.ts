import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T15',
  title: 'A revoked attribute is not published again',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.7'],
  description: 'Who has seen that an accreditation is revoked must be able to rely on it.',
  sends: 'setAttributeMetadata with the type of the publication, after the attribute was revoked.',
  decides: 'It is reverted or refused, and the attribute stays REVOKED.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { by, metadata } = await publish(context)
    await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
    return findAttributeUnchanged(tir, {
      what: 'A publication of a revoked attribute',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, by.signer),
    })
  },
})
