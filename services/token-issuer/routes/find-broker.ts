import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Broker } from '../adapters/create-broker.ts'
import type { Dependencies } from '../dependencies.ts'

/** @throws TestbedError `unknown_provider` (404) */
export function findBroker({ brokers }: Dependencies, alias: string): Broker {
  const broker = brokers.get(alias)
  if (broker !== undefined) return broker
  throw new TestbedError({
    code: 'unknown_provider',
    status: 404,
    message: 'There is no identity provider of that name here.',
  })
}
