import { Contract } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { createChainClient } from '#kit/chain-client.ts'
import { createRuntime } from '#kit/runtime.ts'
import { createTestProvider, startTestChain, testChainId } from '#test/support/chain.ts'
import { contractAddressesOf, deployContracts } from '#testbed/registries/deploy-contracts.ts'
import { createEnvironmentKeys } from '#testbed/registries/environment-keys.ts'
import { isTrustChainSeeded, seedTrustChain } from '#testbed/registries/seed-trust-chain.ts'

async function startSeeding() {
  const node = await startTestChain()
  onTestFinished(() => node.close())
  const provider = createTestProvider(node.rpcUrl)
  onTestFinished(() => provider.destroy())
  const keys = createEnvironmentKeys('seeding', 'pre')
  const options = {
    chain: createChainClient(createRuntime(), { caller: 'test', rpcUrl: node.rpcUrl }),
    chainId: testChainId,
    operator: keys.operator,
    didPrefix: 'did:org:uc-pre:',
    onboardingNode: keys.onboardingNode.address,
    keys,
    tirBaseUrl: 'http://127.0.0.1:4003/trusted-issuers-registry',
    credentialTypes: ['learcredential.employee.w3c.4'],
    now: Math.floor(Date.now() / 1000),
  }
  await deployContracts(options)
  const addresses = contractAddressesOf(keys.operator.address)
  const didRegistry = new Contract(addresses.didRegistryAddress, didRegistryAbi, provider)
  const tir = new Contract(addresses.tirAddress, trustedIssuersRegistryAbi, provider)

  /** What the contracts say of each DID: its assertion methods, its role and its accreditor. */
  const readTrustChain = async () => {
    const { rootTao, tao, issuer, verifier } = keys
    const [total] = await didRegistry.getFunction('identifiers')(0n, 10n)
    const roles = await Promise.all(
      [rootTao, tao, issuer].map(async ({ did, attributeId }) => {
        const found = await tir.getFunction('getAttribute')(did, `0x${attributeId}`)
        const jwt = parseJws(Buffer.from(found.data.slice(2), 'hex').toString())
        return [Number(found.issuerType), jwt.ok && jwt.payload.iss]
      }),
    )
    const assertionMethods = await Promise.all(
      [rootTao, tao, issuer, verifier].map(async ({ did }) => {
        const { document } = await didRegistry.getFunction('resolve')(did, BigInt(options.now + 60))
        // Bit 1 is assertionMethod (profile/did-registry, DID document).
        const uses: { readonly relationships: bigint }[] = document.verificationMethods
        return uses.filter(({ relationships }) => (relationships & 2n) !== 0n).length
      }),
    )
    return { total: Number(total), roles, assertionMethods }
  }
  // IssuerType: 1 RootTAO, 2 TAO, 3 TI (profile/tir, Types).
  const complete = {
    total: 4,
    roles: [
      [1, keys.rootTao.did],
      [2, keys.rootTao.did],
      [3, keys.tao.did],
    ],
    assertionMethods: [1, 1, 1, 1],
  }
  return { node, provider, options, readTrustChain, complete }
}

describe('the seeding', () => {
  it('registers and accredits all members in one block of the own chain', async () => {
    const { node, provider, options, readTrustChain, complete } = await startSeeding()
    const own = { ...options, send: node.sendRawTransactions }
    const before = await provider.getBlockNumber()
    expect(await isTrustChainSeeded(own)).toBe(false)
    await seedTrustChain(own)
    expect(await provider.getBlockNumber()).toBe(before + 1)
    expect(await isTrustChainSeeded(own)).toBe(true)
    expect(await readTrustChain()).toEqual(complete)
  })

  it('waits between dependent transactions on a chain with its own order', async () => {
    const { options, readTrustChain, complete } = await startSeeding()
    await seedTrustChain(options)
    expect(await readTrustChain()).toEqual(complete)
  })

  it.each([1, 6, 10, 13])('continues after %i transactions', async (limit) => {
    const { node, options, readTrustChain, complete } = await startSeeding()
    const send = async (raws: readonly string[]) => {
      await node.sendRawTransactions(raws.slice(0, limit))
      throw new Error('the process was killed')
    }
    await expect(seedTrustChain({ ...options, send })).rejects.toThrow('killed')
    expect(await isTrustChainSeeded(options)).toBe(false)
    await seedTrustChain({ ...options, send: node.sendRawTransactions })
    expect(await readTrustChain()).toEqual(complete)
  })

  it('reports what the registries reject', async () => {
    const { node, options } = await startSeeding()
    const onboardingNode = createEnvironmentKeys('other', 'pre').onboardingNode
    const keys = { ...options.keys, onboardingNode }
    const seeding = seedTrustChain({ ...options, keys, send: node.sendRawTransactions })
    await expect(seeding).rejects.toMatchObject({ code: 'seeding_failed' })
  })
})
