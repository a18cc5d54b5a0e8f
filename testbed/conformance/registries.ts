import { randomBytes } from 'node:crypto'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import type { DidRegistryContext } from '#conformance/plans/did-registry/context.ts'
import { openDidRegistryPlan } from '#conformance/plans/did-registry/open-did-registry-plan.ts'
import type { MiningControl } from '#conformance/plans/registries/mining.ts'
import type { TirContext } from '#conformance/plans/tir/context.ts'
import { openTirPlan } from '#conformance/plans/tir/open-tir-plan.ts'
import { didPrefixes } from '#core/did/did-org.ts'
import { signerOf, toHex } from '#core/ethereum/account.ts'
import { createChainClient } from '#kit/chain-client.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime, type FaultName, type Service } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { createDidRegistryService } from '#services/did-registry/create-did-registry-service.ts'
import { createTirService } from '#services/tir/create-tir-service.ts'
import { createChainNode } from '#testbed/chain/create-chain-node.ts'
import { type Listener, listen } from '#testbed/process/listen.ts'
import { createResources } from '#testbed/process/resources.ts'
import { contractAddressesOf, deployContracts } from '#testbed/registries/deploy-contracts.ts'
import { chainIds } from '#testbed/services/options.ts'

const environment = 'pre'
const host = '127.0.0.1'
const newKey = () => toHex(randomBytes(32))

/**
 * Only the testbed's own registries, in this process: a chain in memory with both contracts and an
 * onboarding node, both APIs, and the API key service.
 */
export async function startRegistries() {
  const faults = new Set<FaultName>()
  const log = createLog({ level: 'silent' })
  const runtime = createRuntime({ log, faults: { isActive: (name) => faults.has(name) } })
  const resources = createResources((problem) => console.error(problem))
  const [operator, onboardingNode] = [signerOf(newKey()), signerOf(newKey())]
  const tirApiKey = randomToken()
  const { didRegistryAddress, tirAddress } = contractAddressesOf(operator.address)
  const chainId = chainIds[environment]

  const listenFor = async (part: string): Promise<Listener & { readonly url: string }> => {
    const listener = await listen(host, 0, part)
    resources.add('listeners', listener.close)
    return { ...listener, url: `http://${host}:${listener.port}` }
  }
  const serve = async (listener: Listener, starting: Promise<Service>) => {
    const service = await starting
    resources.add('services', () => service.close())
    listener.serve(service.app)
  }

  try {
    const node = await createChainNode({
      chainId,
      host,
      port: 0,
      mining: 'auto',
      // A rejection by the chain itself would hide a mistake of the APIs under test.
      openRpc: true,
      clockOffset: 0,
    })
    resources.add('chains', node.close)
    const chainRpcUrl = `http://${host}:${node.port}`
    await deployContracts({
      chain: createChainClient(runtime, { caller: 'operator', rpcUrl: chainRpcUrl }),
      chainId,
      operator,
      didPrefix: didPrefixes[environment],
      onboardingNode: onboardingNode.address,
      send: node.sendRawTransactions,
    })
    const didRegistry = await listenFor('the DID registry')
    const tir = await listenFor('the TIR')
    const apiKeys = await listenFor('the API key service')
    await serve(
      apiKeys,
      createApiKeysService(
        {
          baseUrl: apiKeys.url,
          databaseUrl: 'sqlite::memory:',
          initialKeys: [{ name: 'conformance kit', scope: 'tir', key: tirApiKey }],
        },
        runtime,
      ),
    )
    await serve(
      didRegistry,
      createDidRegistryService(
        {
          environment,
          baseUrl: didRegistry.url,
          chainRpcUrl,
          didRegistryAddress,
          // Only the kit uses this chain, so transactions wait only while it holds the mining.
          receiptWaitMilliseconds: 200,
        },
        runtime,
      ),
    )
    await serve(
      tir,
      createTirService(
        {
          environment,
          baseUrl: tir.url,
          chainRpcUrl,
          tirAddress,
          apiKeysUrl: apiKeys.url,
        },
        runtime,
      ),
    )
    const mining: MiningControl = {
      hold: () => node.setMining('manual'),
      mine: () => node.setMining('auto'),
    }
    return {
      environment,
      didRegistryBaseUrl: didRegistry.url,
      tirBaseUrl: `${tir.url}/trusted-issuers-registry`,
      chainRpcUrl,
      operator,
      onboardingNode,
      tirApiKey,
      mining,
      /** Disconnects both services from the chain, and reconnects them. */
      setChainOutage: async (isOut: boolean) => {
        if (isOut) faults.add('chain-down')
        else faults.delete('chain-down')
      },
      /** Disconnects the TIR from the API key service, and reconnects it. */
      setApiKeysOutage: async (isOut: boolean) => {
        if (isOut) faults.add('api-keys-down')
        else faults.delete('api-keys-down')
      },
      close: () => resources.close(),
    } as const
  } catch (error) {
    await resources.close()
    throw error
  }
}

/** The plan for DID registries against the testbed's own. */
export async function openDidRegistrySelf(
  options: OpenPlanOptions,
): Promise<OpenPlan<DidRegistryContext>> {
  const registries = await startRegistries()
  const { environment, didRegistryBaseUrl, chainRpcUrl, onboardingNode } = registries
  const target = {
    name: "The testbed's own DID registry",
    baseUrl: didRegistryBaseUrl,
    environment,
    chain: { rpcUrl: chainRpcUrl },
    onboardingNode,
  }
  const plan = await openDidRegistryPlan(target, options, registries)
  return { ...plan, close: registries.close }
}

/** The plan for TIRs against the testbed's own. */
export async function openTirSelf(options: OpenPlanOptions): Promise<OpenPlan<TirContext>> {
  const registries = await startRegistries()
  const { environment, tirBaseUrl, didRegistryBaseUrl, chainRpcUrl } = registries
  const { onboardingNode, operator } = registries
  const target = {
    name: "The testbed's own TIR",
    baseUrl: tirBaseUrl,
    didRegistryBaseUrl,
    environment,
    apiKey: registries.tirApiKey,
    chain: { rpcUrl: chainRpcUrl },
    onboardingNode,
    operator,
  }
  const plan = await openTirPlan(target, options, registries)
  return { ...plan, close: registries.close }
}
