import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T14',
  title: 'Nobody revokes in the name of a TAO that it does not control',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
  description: 'One transaction of a stranger’s would end an issuer for good.',
  sends:
    'setAttributeMetadata with issuerType REVOKED and the right taoDid, signed by another account.',
  decides: 'It is reverted or refused, and the attribute is as before.',
  needs: ['accreditor'],
  async run(context) {
    const { tir, didRegistry } = context
    const { by, metadata } = await publish(context)
    const stranger = didRegistry.createIdentity()
    return findAttributeUnchanged(tir, {
      what: 'A revocation by a stranger',
      ...metadata,
      attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, stranger),
      allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
    })
  },
})
