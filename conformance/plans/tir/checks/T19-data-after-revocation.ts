import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T19',
  title: 'A revoked attribute takes no new data',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.7'],
  description: 'What is revoked is a record of what was; it is not written on.',
  sends: 'setAttributeData for a revoked attribute, signed by the TAO that published it.',
  decides: 'It is reverted or refused, and the attribute is as before.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
    const jwt = signBody(context, metadata, by)
    return findAttributeUnchanged(tir, {
      what: 'setAttributeData for a revoked attribute',
      did,
      attributeId,
      attempt: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
    })
  },
})
