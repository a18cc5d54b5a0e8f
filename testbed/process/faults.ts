import { type FaultName, type Faults, faultNames } from '#kit/runtime.ts'

/** The named faults of one environment, switched through the control interface. */
export interface FaultSwitchboard extends Faults {
  /** Resolves when the change has taken effect everywhere. */
  set(name: FaultName, active: boolean): Promise<void>
  /** All names, in the order of the documentation, and whether each is on. */
  list(): readonly { readonly name: FaultName; readonly active: boolean }[]
}

export function isFaultName(name: string): name is FaultName {
  return (faultNames as readonly string[]).includes(name)
}

/** A switchboard with every fault off; `notify` informs other processes of each change. */
export function createFaultSwitchboard(
  notify: FaultSwitchboard['set'] = async () => {},
): FaultSwitchboard {
  const active = new Set<FaultName>()
  return {
    isActive: (name) => active.has(name),
    async set(name, on) {
      if (on) active.add(name)
      else active.delete(name)
      await notify(name, on)
    },
    list: () => faultNames.map((name) => ({ name, active: active.has(name) })),
  }
}
