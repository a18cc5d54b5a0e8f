// The package's entry `lear-testbed/testcontainers`.
import '#testbed/library/require-node.ts'

// biome-ignore-start lint/performance/noBarrelFile: an entry of the package is made of nothing else
export { StartedTestbedContainer } from './started-testbed-container.ts'
export { TestbedContainer } from './testbed-container.ts'
// biome-ignore-end lint/performance/noBarrelFile: an entry of the package is made of nothing else
