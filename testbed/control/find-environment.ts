import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChainProcess } from '../chain/start-chain-process.ts'
import type { RunningEnvironment } from '../environment.ts'
import type { ControlDependencies } from './dependencies.ts'

/** @throws TestbedError `unknown_environment` (404) */
export function findEnvironment(
  { environments }: ControlDependencies,
  name: string,
): RunningEnvironment {
  const found = environments.get(name)
  if (found !== undefined) return found
  throw new TestbedError({
    code: 'unknown_environment',
    status: 404,
    message: `This testbed runs ${[...environments.keys()].join(' and ')} alone.`,
  })
}

/** @throws TestbedError `foreign_chain` (409) where the chain is not the testbed's own */
export function requireOwnChain({ chainProcess }: RunningEnvironment): ChainProcess {
  if (chainProcess !== undefined) return chainProcess
  throw new TestbedError({
    code: 'foreign_chain',
    status: 409,
    message: "The chain is not the testbed's own: its time and its mining can't be steered here.",
  })
}
