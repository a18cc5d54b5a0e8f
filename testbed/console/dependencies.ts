import type { Runtime } from '#kit/runtime.ts'
import type { ControlDependencies } from '#testbed/control/dependencies.ts'
import type { Address } from '#testbed/list-addresses.ts'

/** What the console's pages work with, besides the control interface. */
export interface ConsoleDependencies extends ControlDependencies {
  readonly addresses: readonly Address[]
  readonly runtime: Runtime
}
