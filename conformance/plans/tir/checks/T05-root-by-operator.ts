import { expectIncludes } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held, inconclusive } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { metadataOf } from '../metadata-of.ts'

export const check = defineTirCheck({
  id: 'T05',
  title: 'The operator publishes a ROOT_TAO, which reads as RTAO',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.resources-and-their-fields/types-used-in-the-tir.4',
    '2.resources-and-their-fields/tir-attribute.4',
    '2.endpoints/tir.10',
  ],
  description: 'The name in reads is another one than that in writes; verifiers look for RTAO.',
  sends: 'setAttributeMetadata with issuerType ROOT_TAO, signed by the operator.',
  decides:
    'issuerType of the attribute is RTAO, and rootTao is its own DID. The documents do not show what a root names as its TAO: where itself is not taken, nothing is decided.',
  needs: ['operator'],
  async run({ tir, didRegistry, environment, operator }) {
    const { did } = didRegistry.createIdentity()
    const { attributeId } = metadataOf({ did, attributeId: '' }, environment)
    const above = { taoDid: did, attributeIdTao: attributeId }
    const metadata = { did, attributeId, issuerType: 'ROOT_TAO', ...above } as const
    const { isApplied, told } = await tir.attemptMetadata(metadata, operator)
    if (!isApplied) {
      const what = 'A ROOT_TAO that names itself as its TAO'
      return inconclusive(`${what} ${told}; the documents do not show what a root names.`)
    }
    const answer = await tir.getAttribute(did, attributeId)
    const { attribute } = requireJson(answer, 'The root’s attribute') as Record<string, object>
    expectIncludes('the attribute', attribute as Record<string, unknown>, {
      issuerType: 'RTAO',
      rootTao: did,
    })
    return held('The ROOT_TAO reads as RTAO')
  },
})
