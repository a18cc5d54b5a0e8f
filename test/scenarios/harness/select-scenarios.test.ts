import { describe, expect, it } from 'vitest'
import { scenarioAlgorithms } from '#scenarios/harness/define-scenario.ts'
import {
  type SelectScenariosOptions,
  selectScenarios,
} from '#scenarios/harness/select-scenarios.ts'
import { createScenario } from '#test/support/create-scenario.ts'

const scenarios = ['login/success', 'issuance/representative', 'issuance/employee'].map((id) =>
  createScenario({ id, algorithms: scenarioAlgorithms }),
)

const idsOf = (options?: SelectScenariosOptions) =>
  selectScenarios(scenarios, options).map(({ id }) => id)

describe('selectScenarios', () => {
  it('unfolds each scenario by algorithm, in the order of the ids', () => {
    expect(idsOf()).toEqual([
      'issuance/employee/ES256K',
      'issuance/employee/EdDSA',
      'issuance/representative/ES256K',
      'issuance/representative/EdDSA',
      'login/success/ES256K',
      'login/success/EdDSA',
    ])
  })

  it('takes a regular expression on suite/name', () => {
    expect(idsOf({ pattern: '^issuance/.*ee$' })).toEqual([
      'issuance/employee/ES256K',
      'issuance/employee/EdDSA',
    ])
  })

  it('takes one that names the algorithm too, as reports do', () => {
    expect(idsOf({ pattern: '^login/success/EdDSA$' })).toEqual(['login/success/EdDSA'])
  })

  it('splits into shards that are everything together, each once', () => {
    const parts = ['1/4', '2/4', '3/4', '4/4'].map((shard) => idsOf({ shard }))
    expect(parts.flat().sort()).toEqual(idsOf().sort())
    expect(parts.map((part) => part.length)).toEqual([2, 2, 1, 1])
  })

  it.each(['0/2', '3/2', '1', 'a/b', '1/2/3', '-1/2'])('refuses the shard %s', (shard) => {
    expect(() => idsOf({ shard })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  it('refuses what is no regular expression', () => {
    expect(() => idsOf({ pattern: '(' })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})
