import { describe, expect, it } from 'vitest'
import { createScenario } from '#test/support/results.ts'

describe('defineScenario', () => {
  it('takes a scenario that is described and refers to a document', () => {
    expect(createScenario({ id: 'issuance/employee-by-mail' }).id).toBe('issuance/employee-by-mail')
  })

  it.each([
    ['an id without suite', { id: 'representative' }],
    ['an id in another case', { id: 'issuance/Representative' }],
    ['an id with a third part', { id: 'issuance/a/b' }],
    ['no title', { title: ' ' }],
    ['no description', { description: '' }],
    ['no category', { category: '' }],
    ['no reference', { references: [] }],
    ['no algorithm', { algorithms: [] }],
  ])('refuses %s', (_, overrides) => {
    expect(() => createScenario(overrides)).toThrow(TypeError)
  })
})
