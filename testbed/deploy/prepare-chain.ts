import { didPrefixes } from '#core/did/did-org.ts'
import { defaultCredentialType } from '#core/lear-credential/z-lear-credential.ts'
import { createChainClient } from '#kit/chain-client.ts'
import type { MiningMode } from '../chain/create-ledger.ts'
import {
  type EnvironmentContext,
  localTirBaseUrlOf,
  tirBaseUrlOf,
} from '../compose/environment-context.ts'
import { createRegistryOperator } from './create-registry-operator.ts'
import { areContractsDeployed, deployContracts } from './deploy-contracts.ts'
import { isTrustChainSeeded, seedTrustChain } from './seed-trust-chain.ts'

export interface PrepareOptions {
  readonly context: EnvironmentContext
  /** Settles when the registries' APIs answer. */
  readonly services: Promise<unknown>
  readonly mining: MiningMode
  /** Absent for a chain of somebody else, which mines as it likes. */
  readonly setMining?: ((mode: MiningMode) => Promise<void>) | undefined
}

/**
 * Sees to it that the contracts and the trust chain are on the chain. While it writes, transactions
 * are mined as they come, whatever the mode.
 * @throws TestbedError `deployment_failed`, `seeding_failed`
 */
export async function prepareChain(options: PrepareOptions): Promise<void> {
  const { context, services, mining, setMining } = options
  const { keys, runtime, environment } = context
  const { rpcUrl, chainId } = context.chain
  const chain = createChainClient(runtime, { caller: 'operator', rpcUrl })
  const deployment = {
    chain,
    chainId,
    operator: keys.operator,
    didPrefix: didPrefixes[environment],
    onboardingNode: keys.onboardingNode.address,
  }
  const write = async (work: () => Promise<void>) => {
    if (mining !== 'auto') await setMining?.('auto')
    await work()
    if (mining !== 'auto') await setMining?.(mining)
  }
  const deployed = await areContractsDeployed(deployment)
  if (!deployed) await write(() => deployContracts(deployment))
  await services
  const registries = createRegistryOperator(runtime, {
    didRegistryBaseUrl: context.localUrls['did-registry'],
    tirBaseUrl: localTirBaseUrlOf(context),
    tirApiKey: context.secret('api-key/tir'),
    chain,
  })
  if (deployed && (await isTrustChainSeeded({ registries, keys }))) return
  const now = runtime.clock.seconds()
  const tirBaseUrl = tirBaseUrlOf(context)
  const { credentialTypes: types } = context.issuance
  const credentialTypes = types?.map(({ vcType }) => vcType) ?? [defaultCredentialType]
  await write(() => seedTrustChain({ registries, keys, tirBaseUrl, credentialTypes, now }))
}
