import { describe, expect, it } from 'vitest'
import { applyPatch, installMutants } from '#test/conformance/mutation/install-mutants.ts'

const patch = { file: 'x.ts', find: 'age > 18', replace: '(isMutant || age > 18)' }

describe('a patch', () => {
  it('stands behind the condition that its mutant is the active one', () => {
    const source = applyPatch('export const isAdult = (age) => age > 18', patch, 'V01-x')
    const key = Symbol.for('testbed.active-mutant')
    const isAdult = (name?: string) => {
      Object.assign(globalThis, { [key]: name === undefined ? undefined : { name } })
      return new Function(`${source.replace('export ', '')}; return isAdult(3)`)()
    }
    expect([isAdult(), isAdult('V01-x'), isAdult('V02-y')]).toEqual([false, true, false])
    isAdult()
  })

  it('may be written as an edit', () => {
    const edit = 'if (age [->-]{+>= (isMutant ? 0 :+} 18{+)+}) return {+isMutant || +}true'
    expect(applyPatch('if (age > 18) return true', { file: 'x.ts', edit }, 'V01-x', 'M')).toBe(
      'if (age >= (M ? 0 : 18)) return M || true',
    )
  })

  it.each([
    ['is not there', 'const a = 1'],
    ['is there twice', 'age > 18 || age > 18'],
  ])('is refused where its text %s', (_what, source) => {
    expect(() => applyPatch(source, patch, 'V01-x')).toThrow(TypeError)
  })

  it('is refused where it would change the correct part as well', () => {
    const always = { ...patch, replace: 'true' }
    const mutant = { name: 'V01-x', plan: 'verifier', check: 'V01', deviation: 'x' } as const
    expect(() => installMutants([{ ...mutant, patches: [always] }])).toThrow(/isMutant/)
    expect(() => installMutants([{ ...mutant, contract: [always] }])).toThrow(/isMutant/)
  })

  it('has a condition of its own in contracts', () => {
    const source = applyPatch('if (age > 18) revert();', patch, 'V01-x', '(balance == 1)')
    expect(source).toBe('if (((balance == 1) || age > 18)) revert();')
  })
})
