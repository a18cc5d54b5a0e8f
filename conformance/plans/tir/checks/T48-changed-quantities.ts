import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'

export const check = defineTirCheck({
  id: 'T48',
  title: 'A raw transaction with another nonce, gas or value than unsignedTransaction is not sent',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
  description: 'The transaction that is sent may cost what nobody agreed to.',
  sends:
    'sendSignedTransaction of a publication with each of these changed in unsignedTransaction.',
  decides: 'error.code -32602 for each of them, and the attribute is not published.',
  needs: ['accreditor'],
  async run(context) {
    for (const member of ['nonce', 'gasLimit', 'gasPrice', 'value'] as const) {
      const finding = await findNotSent(context, {
        what: `unsignedTransaction with another ${member}`,
        change: ({ sending, unsigned }) => {
          const changed = { [member]: `0x${(BigInt(unsigned[member]) + 1n).toString(16)}` }
          return { ...sending, unsignedTransaction: { ...unsigned, ...changed } }
        },
      })
      if (finding.kind !== 'held') return finding
    }
    return held('unsignedTransaction with another nonce, gasLimit, gasPrice, value was not sent')
  },
})
