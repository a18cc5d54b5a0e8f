// The package's entry `lear-testbed`.
import './require-node.ts'

export type { Explanation } from '#core/explanation/explanation.ts'
export type { ScenarioContext } from '#scenarios/harness/define-scenario.ts'
// biome-ignore-start lint/performance/noBarrelFile: an entry of the package is made of nothing else
export { defineScenario, type Scenario } from '#scenarios/harness/define-scenario.ts'
export {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectRefusal,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
export { eventually } from '#scenarios/harness/waiting.ts'
export type { Results } from '#scenarios/harness/z-results.ts'
export type { Environment, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
export type { RegistryAddresses } from '#wallet-emulator/trust/explanation-trust.ts'
export { type ExplainMessageOptions, explain } from './explain.ts'
export { type RunSuitesOptions, runSuites } from './run-suites.ts'
export { type StartedTestbed, type StartTestbedOptions, startTestbed } from './start-testbed.ts'
// biome-ignore-end lint/performance/noBarrelFile: an entry of the package is made of nothing else
