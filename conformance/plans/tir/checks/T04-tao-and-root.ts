import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T04',
  title: 'An attribute tells the TAO that accredited it and the root of its chain',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.resources-and-their-fields/tir-attribute.4',
    '2.resources-and-their-fields/tir-attribute.5',
    '2.resources-and-their-fields/tir-attribute.6',
  ],
  description: 'Along them verifiers walk the chain of trust up to a root that they know.',
  sends: 'A TAO below the root accredits a TI.',
  decides: 'issuerType is TI, tao is the TAO, and rootTao the root of the TAO’s own chain.',
  needs: ['accreditor', 'onboarding-node'],
  async run({ tir, environment, accreditor, otherAccreditor }) {
    const root = await accreditor()
    const tao = await otherAccreditor()
    const above = await tir.requireAttribute(root.did, root.attributeId)
    const metadata = metadataOf(tao, environment)
    await tir.writeMetadata(metadata, tao.signer)
    const { attribute } = await tir.requireAttribute(metadata.did, metadata.attributeId)
    const { issuerType, tao: taoDid, rootTao } = attribute
    expectEqual(
      'issuerType, tao, rootTao',
      { issuerType, tao: taoDid, rootTao },
      { issuerType: 'TI', tao: tao.did, rootTao: above.attribute.rootTao },
    )
    return held('The attribute names its TAO and the root')
  },
})
