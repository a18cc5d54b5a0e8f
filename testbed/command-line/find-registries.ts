import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import type { DidRegistryClient } from '#core/registries/did-registry-client.ts'
import type { TirClient } from '#core/registries/tir-client.ts'
import { type ChainClient, createChainClient } from '#kit/chain-client.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime } from '#kit/runtime.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { openDidRegistry, openTir } from '#testbed/registries/write-registries.ts'
import { readTestbedClock, readTestbedFile } from '#testbed/runs/running-testbed.ts'
import { environmentNotRunning } from './errors.ts'
import type { RegistryOptions } from './options.ts'

/** The registries that a command uses; each part throws if its address is unknown. */
export interface Registries {
  readonly environment: DidEnvironment
  /** The running testbed's environment, if no address was given; its keys are defaults. */
  readonly testbed: Environment | undefined
  /** Unix seconds, by the clock of the testbed if it belongs to one. */
  now(): number
  didRegistry(): DidRegistryClient
  /** The same, or undefined if no address is known. */
  didRegistryIfKnown(): DidRegistryClient | undefined
  tir(): TirClient
  tirBaseUrl(): string
  chain(): ChainClient
  /** The chain, or undefined if no address is known. */
  chainIfKnown(): ChainClient | undefined
}

/**
 * Finds the registries by the addresses among the options, or by the testbed that runs on the data
 * folder. The environment is that of `--env`, else that of the DID, else `pre`.
 * @throws TestbedError `invalid_option`, `not_running`
 */
export async function findRegistries(options: RegistryOptions, did?: string): Promise<Registries> {
  const { data, didRegistry, tir, apiKey, chainRpc } = options
  const environment = environmentOf(options, did)
  const isForeign = [didRegistry, tir, chainRpc].some((url) => url !== undefined)
  const file = isForeign ? undefined : await readTestbedFile(data)
  const testbed = file?.environments[environment]
  if (!isForeign && testbed === undefined)
    throw environmentNotRunning({ data, environment, isRunning: file !== undefined })
  const now = await readTestbedClock(file)
  const clock = { seconds: now, milliseconds: () => now() * 1000 }
  const runtime = createRuntime({ log: createLog({ level: 'silent' }), clock })
  const caller = 'operator'

  const need = (value: string | undefined, what: string, option: string) => {
    if (value !== undefined) return value
    throw wrongUsage(`Specify the address of ${what} with ${option} URL.`, [
      "If an address is given, the running testbed's addresses are not used.",
    ])
  }
  const chainUrl = chainRpc ?? testbed?.chain.rpcUrl
  const didRegistryUrl = didRegistry ?? testbed?.didRegistryBaseUrl
  const tirBaseUrl = () => need(tir ?? testbed?.tirBaseUrl, 'the TIR', '--tir')
  const didRegistryAt = (baseUrl: string) => openDidRegistry(runtime, { caller, baseUrl })
  const chainAt = (rpcUrl: string) => createChainClient(runtime, { caller, rpcUrl })
  return {
    environment,
    testbed,
    now,
    didRegistry: () => didRegistryAt(need(didRegistryUrl, 'the DID registry', '--did-registry')),
    didRegistryIfKnown: () =>
      didRegistryUrl === undefined ? undefined : didRegistryAt(didRegistryUrl),
    tirBaseUrl,
    tir: () =>
      openTir(runtime, {
        caller,
        baseUrl: tirBaseUrl(),
        apiKey: apiKey ?? testbed?.apiKeys.tir,
      }),
    chain: () => chainAt(need(chainUrl, 'the chain node', '--chain-rpc')),
    chainIfKnown: () => (chainUrl === undefined ? undefined : chainAt(chainUrl)),
  }
}

function environmentOf({ env }: RegistryOptions, did: string | undefined): DidEnvironment {
  const own = did === undefined ? undefined : parseDidOrg(did)?.environment
  if (did !== undefined && own === undefined) throw wrongUsage(`${did} is not a DID of a registry.`)
  if (env !== undefined && own !== undefined && env !== own) {
    throw wrongUsage(`${did} is not a DID of the environment ${env}.`)
  }
  return env ?? own ?? 'pre'
}
