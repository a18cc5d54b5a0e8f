import { defineScenario, type Scenario } from '#scenarios/harness/define-scenario.ts'

/** A scenario that does nothing, unless told otherwise; it runs with ES256K alone. */
export function createScenario(overrides: Partial<Scenario> = {}): Scenario {
  return defineScenario({
    id: 'suite/scenario',
    title: 'A scenario',
    category: 'Tests',
    description: 'What happens.',
    references: [{ document: 'Document 1', section: 'Endpoints' }],
    algorithms: ['ES256K'],
    run: async () => {},
    ...overrides,
  })
}
