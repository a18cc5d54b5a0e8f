import { describe, expect, it } from 'vitest'
import type { VerifierContext } from '#conformance/plans/verifier/context.ts'
import { asPractice, findEachRefused } from '#conformance/plans/verifier/presentation-checks.ts'
import type { Observation } from '#conformance/targets/verdict-sources.ts'

type Verdict = Observation['verdict']

/** A verifier that gives these verdicts one after the other. */
function contextWith(verdicts: readonly Verdict[]) {
  const left = [...verdicts]
  const told = (verdict: Verdict) => ({ verdict, source: 'test', reason: `It is ${verdict}.` })
  const context: Partial<VerifierContext> = {
    openRequest: async () => ({ link: 'openid4vp://', session: undefined, parameters: {} }),
    present: async () => ({ status: 200, reason: '' }),
    observe: async () => told(left.shift() ?? 'undecided'),
  }
  return context as VerifierContext
}

const cases = [{ what: 'What is demanded.' }, ...asPractice([{ what: 'What is advised.' }])]

describe('presentations that have to be refused', () => {
  it('weigh as their check, or as they say themselves', async () => {
    const demanded = await findEachRefused(contextWith(['accepted']), cases)
    expect(demanded.kind).toBe('broken')
    expect(demanded.level).toBeUndefined()
    const advised = await findEachRefused(contextWith(['refused', 'accepted']), cases)
    expect(advised).toMatchObject({ kind: 'broken', level: 'practice' })
  })

  it('hold only where all are refused', async () => {
    const refused = await findEachRefused(contextWith(['refused', 'refused']), cases)
    expect(refused.kind).toBe('held')
    const open = await findEachRefused(contextWith(['refused', 'undecided']), cases)
    expect(open.kind).toBe('inconclusive')
  })
})
