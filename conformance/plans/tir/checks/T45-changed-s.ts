import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'

export const check = defineTirCheck({
  id: 'T45',
  title: 'A signature whose s is another one than in the raw transaction is not sent',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
  description: 'The members have to say the same: what was checked must be what is sent.',
  sends: 'sendSignedTransaction of a publication with s changed.',
  decides: 'error.code -32602, and the attribute is not published.',
  needs: ['accreditor'],
  run: (context) =>
    findNotSent(context, {
      what: 'A changed s',
      change: ({ sending }) => ({ ...sending, s: `0x${'11'.repeat(32)}` }),
    }),
})
