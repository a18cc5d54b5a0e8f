import { describe, expect, it } from 'vitest'
import { findStopped } from '#conformance/plans/wallet/findings/issuance-findings.ts'
import type { VerbAnswer } from '#conformance/targets/adapters/call-verb.ts'

const kindOf = (seen: Pick<VerbAnswer, 'outcome' | 'hasCrashed'>) =>
  findStopped({ reason: '', text: '', json: undefined, source: 'test', ...seen }, 'after it').kind

describe('a wallet that had to stop', () => {
  it('did where it says that it refused, or that it failed', () => {
    expect(kindOf({ outcome: 'refused' })).toBe('held')
    expect(kindOf({ outcome: 'failed' })).toBe('held')
  })

  it('did not where it says that it was done, or goes on', () => {
    expect(kindOf({ outcome: 'done' })).toBe('broken')
    expect(kindOf({ outcome: 'timed-out' })).toBe('broken')
  })

  it('decides nothing by a crash or an overload', () => {
    expect(kindOf({ outcome: 'failed', hasCrashed: true })).toBe('inconclusive')
    expect(kindOf({ outcome: 'overloaded' })).toBe('inconclusive')
  })
})
