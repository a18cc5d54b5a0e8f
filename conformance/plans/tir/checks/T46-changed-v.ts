import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'

export const check = defineTirCheck({
  id: 'T46',
  title: 'A signature whose v is another one than in the raw transaction is not sent',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
  description: 'With the other v another key is recovered, and with it another signer.',
  sends: 'sendSignedTransaction of a publication with the other of 27 and 28 as v.',
  decides: 'error.code -32602, and the attribute is not published.',
  needs: ['accreditor'],
  run: (context) =>
    findNotSent(context, {
      what: 'A changed v',
      change: ({ sending }) => ({ ...sending, v: sending.v === '0x1b' ? '0x1c' : '0x1b' }),
    }),
})
