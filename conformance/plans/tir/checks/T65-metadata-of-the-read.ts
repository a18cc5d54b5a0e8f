import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T65',
  title: 'An attribute with metadata and no data yet is there, with an empty body',
  level: 'practice',
  expectation: 'advice',
  rows: ['2.endpoints/tir.13', '2.endpoints/tir.17'],
  description:
    'Between its two transactions whoever publishes looks whether the first one has come.',
  sends: 'setAttributeMetadata alone; then GET of the attribute.',
  decides: 'HTTP 200 with the issuerType and an empty body.',
  needs: ['accreditor'],
  async run(context) {
    const { metadata } = await publish(context)
    const { attribute } = await context.tir.requireAttribute(metadata.did, metadata.attributeId)
    const { issuerType, body } = attribute
    expectEqual('issuerType and body', { issuerType, body }, { issuerType: 'TI', body: '' })
    return held('The attribute is there, with an empty body')
  },
})
