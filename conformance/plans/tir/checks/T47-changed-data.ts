import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'

export const check = defineTirCheck({
  id: 'T47',
  title: 'A raw transaction with other call data than unsignedTransaction is not sent',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
  description: 'Whoever looks at unsignedTransaction would see another publication than is made.',
  sends: 'sendSignedTransaction of a publication with other data in unsignedTransaction.',
  decides: 'error.code -32602, and the attribute is not published.',
  needs: ['accreditor'],
  run: (context) =>
    findNotSent(context, {
      what: 'unsignedTransaction with other data',
      change: ({ sending, unsigned }) => {
        const data = `${unsigned.data.slice(0, -2)}ff`
        return { ...sending, unsignedTransaction: { ...unsigned, data } }
      },
    }),
})
