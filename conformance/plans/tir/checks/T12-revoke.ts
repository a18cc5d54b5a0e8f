import { expectIncludes } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { publish } from '../publish.ts'

export const check = defineTirCheck({
  id: 'T12',
  title: 'REVOKED by the TAO that published revokes an attribute, and it reads so',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.states-and-transitions.7',
    '2.resources-and-their-fields/types-used-in-the-tir.4',
    '2.resources-and-their-fields/tir-attribute.4',
  ],
  description: 'From then on no verifier may take a credential of this issuer.',
  sends: 'setAttributeMetadata with issuerType REVOKED and the taoDid of the publication.',
  decides: 'The receipt has status 0x1, and issuerType of the attribute is REVOKED.',
  needs: ['accreditor'],
  async run(context) {
    const { by, metadata } = await publish(context)
    await context.tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
    const answer = await context.tir.getAttribute(metadata.did, metadata.attributeId)
    const { attribute } = requireJson(answer, 'The revoked attribute') as Record<string, object>
    expectIncludes('the attribute', attribute as Record<string, unknown>, {
      issuerType: 'REVOKED',
    })
    return held('The attribute reads as REVOKED')
  },
})
