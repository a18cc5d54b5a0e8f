// The package's entry `lear-testbed/vitest`.
import './require-node.ts'

// biome-ignore-start lint/performance/noBarrelFile: an entry of the package is made of nothing else
export { defineScenario } from '#scenarios/harness/define-scenario.ts'
export { type DescribeScenariosOptions, describeScenarios } from './describe-scenarios.ts'
// biome-ignore-end lint/performance/noBarrelFile: an entry of the package is made of nothing else
