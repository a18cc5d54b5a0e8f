import { defineTirCheck } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T16',
  title: 'A TAO whose own accreditation is revoked accredits nobody',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
  description: 'Revoking a TAO has to keep it from making new issuers.',
  sends: 'A TAO is published and revoked; it then publishes a TI.',
  decides: 'The publication is reverted or refused, and there is no such attribute.',
  needs: ['accreditor', 'onboarding-node'],
  async run({ tir, didRegistry, environment, accreditor }) {
    const by = await accreditor()
    const signer = await didRegistry.register()
    const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
    await tir.writeMetadata(own, by.signer)
    await tir.writeMetadata({ ...own, issuerType: 'REVOKED' }, by.signer)
    const metadata = metadataOf(own, environment)
    return findAttributeUnchanged(tir, {
      what: 'A publication by a revoked TAO',
      ...metadata,
      attempt: () => tir.attemptMetadata(metadata, signer),
    })
  },
})
