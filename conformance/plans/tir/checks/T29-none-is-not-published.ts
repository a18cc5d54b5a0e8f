import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T29',
  title: 'issuerType NONE is not published',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.10'],
  description:
    'It means no role and is not used in publications: it would be an attribute of nothing.',
  sends: 'setAttributeMetadata with issuerType NONE.',
  decides: 'error.code -32602.',
  run(context) {
    return findMetadataRefused(context, { 'issuerType NONE': { issuerType: 'NONE' } })
  },
})
