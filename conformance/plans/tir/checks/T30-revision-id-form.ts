import { randomBytes } from 'node:crypto'
import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T30',
  title: 'A revisionId that is not 0x and 64 hex characters is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.limits.5', '2.endpoints/tir.10'],
  description: 'Padded or cut it is another attribute than the accreditation tells of.',
  sends: 'setAttributeMetadata with revisionIds that are too short, too long, without 0x, no hex.',
  decides: 'error.code -32602 for each of them.',
  run(context) {
    const id = randomBytes(32).toString('hex')
    return findMetadataRefused(context, {
      'a revisionId that is too short': { revisionId: `0x${id.slice(2)}` },
      'a revisionId that is too long': { revisionId: `0x${id}00` },
      'a revisionId without 0x': { revisionId: id },
      'a revisionId that is no hex': { revisionId: `0x${id.slice(1)}g` },
      'an empty revisionId': { revisionId: '0x' },
    })
  },
})
