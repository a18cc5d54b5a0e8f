import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DidKey } from './create-did-key.ts'
import { createTestbedFile } from './create-testbed-file.ts'
import { startDidRegistry } from './start-did-registry.ts'
import { startRegistryChain } from './start-registry-chain.ts'
import { startTir, tirApiKey } from './start-tir.ts'

/** Both registries on one chain, for the commands that operators use. */
export async function startRegistries(options: { readonly didRegistry?: object } = {}) {
  const chain = await startRegistryChain()
  const [didRegistry, tir] = await Promise.all([
    startDidRegistry(chain, { config: options.didRegistry ?? {} }),
    startTir(chain),
  ])
  const accounts = {
    operator: accountOf(chain.operator),
    onboardingNode: accountOf(chain.node),
  }
  return {
    chain,
    didRegistry,
    tir,
    /** The options that name these registries from outside. */
    addresses: {
      didRegistry: ['--did-registry', didRegistry.baseUrl],
      chain: ['--chain-rpc', chain.rpcUrl],
      tir: ['--tir', tir.baseUrl, '--api-key', tirApiKey],
    },
    /** Writes a `testbed.json` into the data folder below `cwd`, as a running testbed does. */
    writeTestbedFile(cwd: string, trustChain: object = {}): void {
      const testbed = createTestbedFile(didRegistry.baseUrl)
      const { pre } = testbed.environments
      if (pre === undefined) throw new Error('no environment')
      const { rpcUrl } = chain
      testbed.environments.pre = {
        ...pre,
        ...accounts,
        chain: { ...pre.chain, rpcUrl },
        tirBaseUrl: tir.baseUrl,
        apiKeys: { ...pre.apiKeys, tir: tirApiKey },
        trustChain: { ...pre.trustChain, ...trustChain },
      }
      mkdirSync(join(cwd, '.testbed'), { recursive: true })
      writeFileSync(join(cwd, '.testbed/testbed.json'), JSON.stringify(testbed))
    },
    async stop(): Promise<void> {
      await Promise.all([didRegistry.stop(), tir.stop()])
      await chain.stop()
    },
  }
}

const accountOf = ({ address, wallet }: DidKey) => ({ address, privateKey: wallet.privateKey })

export type Registries = Awaited<ReturnType<typeof startRegistries>>
