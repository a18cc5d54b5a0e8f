import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T13',
  title: 'A TAO does not revoke what another one has published',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
  description: 'Competitors would take each other’s issuers off the market.',
  sends: 'setAttributeMetadata with issuerType REVOKED, taoDid and signature of another TAO.',
  decides: 'It is reverted or refused, and the attribute is as before.',
  needs: ['accreditor', 'onboarding-node'],
  async run(context) {
    const { tir } = context
    const { by, metadata } = await publish(context)
    const other = await context.otherAccreditor()
    const above = { taoDid: other.did, attributeIdTao: other.attributeId }
    const revocation = { ...metadata, ...above, issuerType: 'REVOKED' } as const
    return findAttributeUnchanged(tir, {
      what: 'A revocation by another TAO',
      ...metadata,
      attempt: () => tir.attemptMetadata(revocation, other.signer),
      allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
    })
  },
})
