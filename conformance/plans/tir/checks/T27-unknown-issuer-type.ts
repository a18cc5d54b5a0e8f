import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T27',
  title: 'An unknown issuerType is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.resources-and-their-fields/types-used-in-the-tir.4',
    '2.endpoints/tir.10',
    '2.errors/tir.4',
  ],
  description: 'A guess at what was meant may make a root of an issuer.',
  sends: 'setAttributeMetadata with other words, the name that reads use, and small letters.',
  decides: 'error.code -32602 for each of them.',
  run(context) {
    return findMetadataRefused(context, {
      'an unknown issuerType': { issuerType: 'ISSUER' },
      'the issuerType that reads tell': { issuerType: 'RTAO' },
      'an issuerType in small letters': { issuerType: 'ti' },
      'an empty issuerType': { issuerType: '' },
      'null as issuerType': { issuerType: null },
    })
  },
})
