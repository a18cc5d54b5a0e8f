import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'

export const check = defineTirCheck({
  id: 'T52',
  title: 'A protocol other than eth is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.12', '2.endpoints/tir.16'],
  description: 'It is always eth: another one was meant for another network.',
  sends: 'sendSignedTransaction of a publication with protocol fabric, ETH, and none.',
  decides: 'error.code -32602 for each of them, and the attribute is not published.',
  needs: ['accreditor'],
  async run(context) {
    for (const protocol of ['fabric', 'ETH', undefined]) {
      const finding = await findNotSent(context, {
        what: `protocol ${protocol ?? 'left out'}`,
        change: ({ sending }) => ({ ...sending, protocol }),
      })
      if (finding.kind !== 'held') return finding
    }
    return held('Other protocols than eth were refused')
  },
})
