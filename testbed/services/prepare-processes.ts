import { resolve } from 'node:path'
import type { ServicePart } from '#testbed/process/ports.ts'
import { prepareChild } from '#testbed/process/start-child.ts'
import type { TestbedOptions } from './options.ts'

type Layout = {
  readonly [Name in 'environments' | 'processes' | 'chainRpcUrl']?: TestbedOptions[Name] | undefined
}

/** The services that run in the process of the testbed's own chain: each request reads it. */
export const partsBesideChain: readonly ServicePart[] = ['did-registry', 'tir']

export const hasPartsBesideChain = ({ processes, chainRpcUrl }: Layout): boolean =>
  !processes && chainRpcUrl === undefined

/** The module of a chain's process with these services. */
export const chainAndRegistries = resolve(import.meta.dirname, 'process/chain-and-registries')

/**
 * Starts the processes of the chains before the modules of a testbed are loaded, which takes as
 * long as the processes need for their own. `startTestbed` with the same options uses them.
 * @returns ends those that a start which failed has not used
 */
export function prepareProcesses({ environments = ['pre'], ...layout }: Layout): () => void {
  if (!hasPartsBesideChain(layout)) return () => {}
  const ends = environments.map(() => prepareChild(chainAndRegistries))
  return () => {
    for (const end of ends) end()
  }
}
