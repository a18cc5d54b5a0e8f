import { asPremise } from '../../../kit/as-premise.ts'
import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const check = defineTirCheck({
  id: 'T11',
  title: 'Nobody but the subject and its TAO writes the data of an attribute',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.11'],
  description:
    'Another body in its place takes the accreditation away: its signature does not verify.',
  sends: 'setAttributeData for a published attribute, signed by another account.',
  decides: 'It is reverted or refused, and the body is as before.',
  needs: ['accreditor'],
  async run(context) {
    const { tir, didRegistry } = context
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const jwt = signBody(context, metadata, by)
    const writing = tir.writeData({ did, attributeId, jwt }, by.signer)
    await asPremise('setAttributeData by the TAO', writing)
    const other = signBody(context, metadata, by, 'Other')
    const stranger = didRegistry.createIdentity()
    return findAttributeUnchanged(tir, {
      what: 'setAttributeData by a stranger',
      did,
      attributeId,
      attempt: () => tir.attemptData({ did, attributeId, jwt: other }, stranger),
    })
  },
})
