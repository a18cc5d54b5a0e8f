import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T28',
  title: 'A numeric issuerType is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
  description: 'Numeric values are not accepted: off by one, and a TI becomes a TAO.',
  sends: 'setAttributeMetadata with issuerType 1, 3, 4 and "3".',
  decides: 'error.code -32602 for each of them.',
  run(context) {
    return findMetadataRefused(context, {
      'issuerType 1': { issuerType: 1 },
      'issuerType 3': { issuerType: 3 },
      'issuerType 4': { issuerType: 4 },
      'issuerType "3"': { issuerType: '3' },
    })
  },
})
