import { createHmac } from 'node:crypto'
import { Contract, getCreateAddress, Wallet } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { signTransaction } from '#core/ethereum/transaction.ts'
import { createChainClient } from '#kit/chain-client.ts'
import { createRuntime } from '#kit/runtime.ts'
import { createTestProvider, startTestChain, testChainId } from '#test/support/chain.ts'
import {
  areContractsDeployed,
  contractAddressesOf,
  deployContracts,
} from '#testbed/registries/deploy-contracts.ts'
import { createEnvironmentKeys, deriveKey } from '#testbed/registries/environment-keys.ts'

async function startDeployment() {
  const node = await startTestChain()
  onTestFinished(() => node.close())
  const provider = createTestProvider(node.rpcUrl)
  onTestFinished(() => provider.destroy())
  const { address, privateKey } = Wallet.createRandom()
  const onboardingNode = Wallet.createRandom().address
  const options = {
    chain: createChainClient(createRuntime(), { caller: 'test', rpcUrl: node.rpcUrl }),
    chainId: testChainId,
    operator: { address, privateKey },
    didPrefix: 'did:org:uc-pre:',
    onboardingNode,
  }
  const addresses = contractAddressesOf(address)
  const didRegistry = new Contract(addresses.didRegistryAddress, didRegistryAbi, provider)
  const tir = new Contract(addresses.tirAddress, trustedIssuersRegistryAbi, provider)
  return { options, provider, addresses, didRegistry, tir, node }
}

describe('the deployment', () => {
  it('deploys both registries to the given addresses, with operator and onboarding node', async () => {
    const { options, addresses, didRegistry, tir } = await startDeployment()
    const from = options.operator.address
    expect(addresses.didRegistryAddress).toBe(getCreateAddress({ from, nonce: 0 }))
    expect(addresses.tirAddress).toBe(getCreateAddress({ from, nonce: 1 }))
    expect(await areContractsDeployed(options)).toBe(false)
    await deployContracts(options)
    expect(await areContractsDeployed(options)).toBe(true)
    expect(await didRegistry.getFunction('operator')()).toBe(from)
    expect(await didRegistry.getFunction('isOnboardingNode')(options.onboardingNode)).toBe(true)
    expect(await tir.getFunction('operator')()).toBe(from)
    expect(await tir.getFunction('didRegistry')()).toBe(addresses.didRegistryAddress)
  })

  it('does not change existing contracts', async () => {
    const { options, provider } = await startDeployment()
    await deployContracts(options)
    const blocks = await provider.getBlockNumber()
    await deployContracts(options)
    expect(await provider.getBlockNumber()).toBe(blocks)
  })

  it('continues an interrupted deployment', async () => {
    const { options, provider, didRegistry, node } = await startDeployment()
    await node.setMining('manual')
    const interrupted = deployContracts(options)
    await expect
      .poll(() => provider.getTransactionCount(options.operator.address, 'pending'))
      .toBe(3)
    await node.setMining('auto')
    await interrupted
    expect(await didRegistry.getFunction('isOnboardingNode')(options.onboardingNode)).toBe(true)

    const fresh = await startDeployment()
    // Only the first of the three, as a start that was killed leaves it.
    const wallet = new Wallet(fresh.options.operator.privateKey, fresh.provider)
    await wallet.sendTransaction({ data: '0x602a60005260206000f3' })
    await deployContracts(fresh.options).catch(() => {})
    expect(await fresh.provider.getTransactionCount(wallet.address)).toBe(3)
  })
})

describe('signing', () => {
  it('returns the transaction to ethers, with matching r, s and v', async () => {
    const wallet = Wallet.createRandom()
    const { raw, r, s, v } = signTransaction(
      {
        from: wallet.address,
        to: '0x2222222222222222222222222222222222222222',
        data: '0xabcd',
        nonce: '0x0',
        chainId: '0x4f25',
        gasLimit: '0x5208',
        gasPrice: '0x0',
        value: '0x0',
      },
      wallet.privateKey,
    )
    const { Transaction } = await import('ethers')
    const transaction = Transaction.from(raw)
    expect(transaction.from).toBe(wallet.address)
    expect(transaction.chainId).toBe(20261n)
    expect(transaction.nonce).toBe(0)
    expect([transaction.signature?.r, transaction.signature?.s]).toEqual([r, s])
    expect(transaction.signature?.v).toBe(Number(v))
  })
})

describe('keys from the seed', () => {
  it('are HMAC-SHA-256 of the label, usable with any Ethereum tool', () => {
    const key = deriveKey('seed', 'pre/operator')
    const expected = createHmac('sha256', 'seed').update('lear-testbed/pre/operator/0')
    expect(key).toBe(`0x${expected.digest('hex')}`)
    expect(new Wallet(key).privateKey).toBe(key)
  })

  it('are the same for the same seed, and differ by seed, environment and role', () => {
    const one = createEnvironmentKeys('seed', 'pre')
    expect(createEnvironmentKeys('seed', 'pre')).toEqual(one)
    const all = [one, createEnvironmentKeys('seed', 'pro'), createEnvironmentKeys('other', 'pre')]
    const keys = all.flatMap((each) => Object.values(each).map(({ privateKey }) => privateKey))
    expect(new Set(keys).size).toBe(18)
    expect(one.operator.address).toBe(new Wallet(one.operator.privateKey).address)
    expect(one.issuer.did).toMatch(/^did:org:uc-pre:z1/)
  })
})
