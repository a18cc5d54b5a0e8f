import { getCreateAddress, Interface } from 'ethers'
import type { ChainNodeConfig } from '#testbed/chain/create-chain-node.ts'
import { callRpc, startTestChain, testChainId } from './chain.ts'
import { readCompiledContract } from './create-contract-chain.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'

/**
 * A chain node with both registries deployed and an authorized onboarding node. Its RPC accepts
 * transactions to them alone, as that of a testbed does.
 */
export async function startRegistryChain(
  prefix = 'did:org:uc-pre:',
  operator = createDidKey('operator', prefix),
  config: Partial<ChainNodeConfig> = {},
) {
  const addressOf = (nonce: number) => getCreateAddress({ from: operator.address, nonce })
  const registries = [addressOf(0), addressOf(1)]
  const chain = await startTestChain({ registries, openRpc: false, ...config })
  const { rpcUrl } = chain
  const node = createDidKey('onboarding node', prefix)
  let nonce = 0

  const send = async (to: string | null, data: string) => {
    const transaction = { to, data, nonce: nonce++, chainId: testChainId, gasPrice: 0 }
    const raw = await operator.wallet.signTransaction({ ...transaction, gasLimit: 15_000_000 })
    await chain.sendRawTransaction(raw)
  }
  const deploy = async (name: string, ...args: unknown[]) => {
    const { abi, bytecode } = readCompiledContract(name)
    const iface = new Interface(abi as never)
    const address = addressOf(nonce)
    await send(null, bytecode + iface.encodeDeploy(args).slice(2))
    return { address, iface }
  }

  const registry = await deploy('DidRegistry', operator.address, prefix)
  const tir = await deploy('TrustedIssuersRegistry', registry.address)
  const authorize = registry.iface.encodeFunctionData('authorizeOnboardingNode', [node.address])
  await send(registry.address, authorize)

  return {
    chain,
    rpcUrl,
    operator,
    node,
    registry,
    tir,
    /** A transaction past the APIs, by the operator or by another signer. */
    sendDirectly: async (
      signer: DidKey,
      contract: { address: string; iface: Interface },
      method: string,
      ...args: unknown[]
    ) => {
      const count = await callRpc(rpcUrl, 'eth_getTransactionCount', signer.address, 'pending')
      const raw = await signer.wallet.signTransaction({
        to: contract.address,
        data: contract.iface.encodeFunctionData(method, args),
        nonce: Number(count.result),
        chainId: testChainId,
        gasPrice: 0,
        gasLimit: 15_000_000,
      })
      const { result, error } = await callRpc(rpcUrl, 'eth_sendRawTransaction', raw)
      if (error !== undefined) throw new Error(error.message)
      const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', result)
      if ((receipt.result as { status: string }).status !== '0x1') throw new Error('reverted')
    },
    stop: () => chain.close(),
  }
}

export type RegistryChain = Awaited<ReturnType<typeof startRegistryChain>>
