import { id, Transaction, Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain, testChainId } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { signUnsignedTransaction, startDidRegistry, vMethodIdOf } from '#test/support/registries.ts'
import { createTestRuntime } from '#test/support/services.ts'

const chain = await startRegistryChain()
const client = await startDidRegistry(chain)

/** An unsigned transaction of the operator, who may update any alsoKnownAs. */
async function buildUpdate(label: string, from = chain.operator.address) {
  const { did } = await client.register(label)
  const { body } = await client.build('updateAlsoKnownAs', {
    did,
    alsoKnownAs: `urn:${label}`,
    from,
  })
  return { did, unsigned: body }
}

describe('a transaction that is mined', () => {
  // @row 2.resources-and-their-fields/transaction-receipt.1 2.states-and-transitions.8 2.endpoints/did-registry.14 2.endpoints/did-registry.32 2.errors/did-registry.2
  it.each([0, 1, 2] as const)('of type %d is 200 with the documented receipt', async (type) => {
    const label = `type ${type}`
    const { did, unsigned } = await buildUpdate(label)
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, type)
    const { status, body } = await client.sendRaw(signed.serialized)
    expect(status).toBe(200)
    expect(body.tx_hash).toBe(signed.hash)
    const node = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', signed.hash)
    const receipt = node.result as Record<string, string>
    expect(body.receipt).toEqual({
      _type: 'TransactionReceipt',
      blockHash: receipt.blockHash,
      blockNumber: Number(receipt.blockNumber),
      contractAddress: null,
      cumulativeGasUsed: BigInt(receipt.cumulativeGasUsed ?? 0).toString(),
      from: chain.operator.address,
      to: chain.registry.address,
      gasUsed: BigInt(receipt.gasUsed ?? 0).toString(),
      hash: signed.hash,
      index: 0,
      logs: [
        expect.objectContaining({
          _type: 'log',
          address: chain.registry.address,
          topics: [id('AlsoKnownAsUpdated(bytes32,string,string)'), id(did)],
          blockNumber: Number(receipt.blockNumber),
        }),
      ],
      status: 1,
    })
    expect((await client.resolve(did)).body.alsoKnownAs).toEqual([`urn:${label}`])
  })

  // @row 2.states-and-transitions.9 2.authentication.1
  it('but reverts is 200 with status 0 and a reason', async () => {
    const key = await client.register('reverter')
    const stranger = createDidKey('stranger')
    const body = { did: key.did, alsoKnownAs: 'urn:x' }
    const answer = await client.write(stranger, 'updateAlsoKnownAs', body)
    expect(answer.status).toBe(200)
    expect(answer.body.receipt).toMatchObject({
      status: 0,
      logs: [],
      revertReason: expect.stringMatching(/^0x/),
      revertError: {
        name: 'DidRegistryNotController',
        args: [key.did, stranger.address],
      },
    })
  })

  // @row 2.states-and-transitions.1 2.endpoints/did-registry.26
  it('without the right to onboard reverts', async () => {
    const key = createDidKey('not onboarded')
    const body = client.firstDocumentOf(key)
    const answer = await client.write(key, 'insertFirstDidDocument', body)
    expect(answer.status).toBe(200)
    expect(answer.body.receipt).toMatchObject({
      status: 0,
      revertError: { name: 'DidRegistryNotOnboardingNode', args: [key.address] },
    })
  })
})

describe('a transaction that is not mined in time', () => {
  // @row 2.states-and-transitions.10 2.errors/did-registry.3 2.endpoints/did-registry.32..33
  it('is 206 with a hash and no receipt', async () => {
    const impatient = await startDidRegistry(chain, { config: { receiptWaitMilliseconds: 30 } })
    const { did, unsigned } = await buildUpdate('pending')
    await chain.chain.setMining('manual')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned)
    const { status, body } = await impatient.sendRaw(signed.serialized)
    expect([status, body]).toEqual([206, { tx_hash: signed.hash, receipt: null }])
    const again = await impatient.sendRaw(signed.serialized)
    expect([again.status, again.body]).toEqual([206, { tx_hash: signed.hash, receipt: null }])
    await chain.chain.mine()
    await chain.chain.setMining('auto')
    expect((await client.resolve(did)).body.alsoKnownAs).toEqual(['urn:pending'])
  })

  // @row 2.states-and-transitions.3 2.endpoints/did-registry.33
  it('changes the document once it is mined', async () => {
    const impatient = await startDidRegistry(chain, { config: { receiptWaitMilliseconds: 30 } })
    const owner = await client.register('plans a key')
    const { did } = owner
    const key = createDidKey('planned key')
    const listed = async (query = '') =>
      (await client.resolve(did, query)).body.verificationMethod.map((method) => method.id)
    const [own] = await listed()
    await chain.chain.setMining('manual')
    const { status } = await impatient.write(owner, 'addVerificationMethod', {
      did,
      vMethodId: vMethodIdOf(key),
      publicKeyType: 'secp256k1',
      publicKey: key.publicKey,
    })
    expect([status, await listed()]).toEqual([206, [own]])
    const { time } = await chain.chain.mine()
    await chain.chain.setMining('auto')
    const added = `${did}#${vMethodIdOf(key)}`
    expect(await listed()).toEqual([own, added])
    expect(await listed(`?valid-at=${time}`)).toEqual([own, added])
    const { body } = await client.resolve(did)
    const { authentication, assertionMethod, capabilityInvocation } = body
    expect([authentication, assertionMethod, capabilityInvocation]).toEqual([[own], [], [own]])
  })

  it('is 200 if the receipt comes in time', async () => {
    const patient = await startDidRegistry(chain, { config: { receiptWaitMilliseconds: 10_000 } })
    const { unsigned } = await buildUpdate('slow')
    await chain.chain.setMining('manual')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned)
    const answer = patient.sendRaw(signed.serialized)
    const isPending = async () =>
      (await callRpc(chain.rpcUrl, 'eth_getTransactionByHash', signed.hash)).result !== null
    while (!(await isPending())) await new Promise(setImmediate)
    await chain.chain.mine()
    await chain.chain.setMining('auto')
    expect((await answer).status).toBe(200)
  })
})

describe('a block above half of its gas limit', () => {
  const isLarge = async () => {
    const block = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
    const { gasUsed, gasLimit } = block.result as { gasUsed: string; gasLimit: string }
    return Number(gasUsed) > Number(gasLimit) / 2
  }

  it('of forty parallel registrations does not stop the registry', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => createDidKey(`one of forty ${index}`))
    const built = await Promise.all(
      keys.map((key) => client.build('insertFirstDidDocument', client.firstDocumentOf(key))),
    )
    const signed = await Promise.all(
      built.map(({ body }, index) =>
        signUnsignedTransaction(chain.node.wallet, body, 0, {
          nonce: Number(body.nonce) + index,
        }),
      ),
    )
    await chain.chain.setMining('manual')
    const sending = signed.map(({ serialized }) => client.sendRaw(serialized))
    const arePending = async () => {
      const last = signed.at(-1)?.nonce
      const nonce = await callRpc(
        chain.rpcUrl,
        'eth_getTransactionCount',
        chain.node.address,
        'pending',
      )
      return Number(nonce.result) > Number(last)
    }
    while (!(await arePending())) await new Promise(setImmediate)
    await chain.chain.mine()
    await chain.chain.setMining('auto')
    await Promise.all(sending)
    // On a busy machine, the registry may have stopped waiting for some of them (206).
    const receipts = await Promise.all(
      signed.map(({ hash }) => callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', hash)),
    )
    expect(receipts.map(({ result }) => (result as { status: string }).status)).toEqual(
      Array(40).fill('0x1'),
    )
    expect(await isLarge()).toBe(true)
    const next = await client.register('after forty')
    expect((await client.resolve(next.did)).status).toBe(200)
  })

  it('of one base document of 45 kB does not stop the registry', async () => {
    const key = await client.register('large document')
    const context = ['https://www.w3.org/ns/did/v1', `https://example.org/${'x'.repeat(45_000)}`]
    const baseDocument = JSON.stringify({ '@context': context })
    const answer = await client.write(key, 'updateBaseDocument', { did: key.did, baseDocument })
    expect(answer.body.receipt?.status).toBe(1)
    expect(await isLarge()).toBe(true)
    const next = await client.register('after a large document')
    expect((await client.resolve(next.did)).status).toBe(200)
  })
})

// @row 2.errors/did-registry.4
describe('a transaction is rejected with 400', () => {
  const refusal = async (raw: unknown) => {
    const { status, body } = await client.post<{ error: string }>('/api/v1/transactions/send', {
      signedRawTransaction: raw,
    })
    expect(body).toEqual({ error: body.error, error_description: expect.any(String) })
    return [status, body.error]
  }

  it('that is not signed', async () => {
    const { unsigned } = await buildUpdate('unsigned')
    const { from: _from, nonce, ...rest } = unsigned
    const transaction = Transaction.from({ ...rest, nonce: Number(nonce), type: 0 })
    expect(await refusal(transaction.unsignedSerialized)).toEqual([400, 'validation_error'])
  })

  it.each([
    ['no chain in particular', { chainId: 0 }],
    ['no contract', { to: null }],
  ])('for %s', async (name, changes) => {
    const { unsigned } = await buildUpdate(`for ${name}`)
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, 0, changes)
    expect(await refusal(signed.serialized)).toEqual([400, 'validation_error'])
  })

  it('that creates a contract, and says so', async () => {
    const { unsigned } = await buildUpdate('creation')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, 0, { to: null })
    const { body } = await client.post<{ error_description: string }>('/api/v1/transactions/send', {
      signedRawTransaction: signed.serialized,
    })
    expect(body.error_description).toContain('creates a contract instead of calling the registry')
  })

  it('with a broken signature', async () => {
    const { unsigned } = await buildUpdate('broken signature')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, 2)
    const r = signed.signature?.r.slice(2) ?? ''
    const broken = signed.serialized.replace(r, 'f'.repeat(64))
    expect(await refusal(broken)).toEqual([400, 'invalid_signature'])
  })

  it('that was built for another signer', async () => {
    const { unsigned } = await buildUpdate('another signer', createDidKey('meant').address)
    const signed = await signUnsignedTransaction(createDidKey('not meant').wallet, unsigned)
    expect(await refusal(signed.serialized)).toEqual([400, 'invalid_signature'])
  })

  it('with an obsolete nonce', async () => {
    const { unsigned } = await buildUpdate('obsolete')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned)
    expect((await client.sendRaw(signed.serialized)).status).toBe(200)
    expect(await refusal(signed.serialized)).toEqual([400, 'invalid_nonce'])
  })

  it('without funds for the gas', async () => {
    const { unsigned } = await buildUpdate('no funds')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, 0, {
      gasPrice: 1_000_000_000,
    })
    expect(await refusal(signed.serialized)).toEqual([400, 'insufficient_funds'])
  })

  it('that the node rejects for another reason', async () => {
    const { unsigned } = await buildUpdate('too little gas')
    const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned, 0, {
      gasLimit: 100,
    })
    expect(await refusal(signed.serialized)).toEqual([400, 'validation_error'])
  })
})

describe('the memory of built transactions', () => {
  it('knows each of several signers', async () => {
    const { did } = await client.register('shared data')
    const signers = [createDidKey('signer one'), createDidKey('signer two')]
    for (const signer of signers) {
      await client.build('updateAlsoKnownAs', {
        did,
        alsoKnownAs: 'urn:s',
        from: signer.address,
      })
    }
    for (const signer of signers) {
      const answer = await client.write(signer, 'updateAlsoKnownAs', { did, alsoKnownAs: 'urn:s' })
      expect(answer.status).toBe(200)
    }
  })

  it('does not stop other transactions', async () => {
    const key = await client.register('self-made')
    const raw = await key.wallet.signTransaction({
      to: chain.registry.address,
      data: chain.registry.iface.encodeFunctionData('updateAlsoKnownAs', [key.did, 'urn:own']),
      nonce: 0,
      chainId: testChainId,
      gasPrice: 0,
      gasLimit: 1_000_000,
    })
    const { status, body } = await client.sendRaw(raw)
    expect([status, body.receipt?.status]).toEqual([200, 1])
  })

  it('expires', async () => {
    const runtime = createTestRuntime()
    const forgetful = await startDidRegistry(chain, { runtime })
    const { did } = await client.register('forgotten')
    const { body } = await forgetful.build('updateAlsoKnownAs', {
      did,
      alsoKnownAs: 'urn:f',
      from: Wallet.createRandom().address,
    })
    const signed = await signUnsignedTransaction(createDidKey('somebody').wallet, body)
    expect((await forgetful.sendRaw(signed.serialized)).status).toBe(400)
    runtime.advance(901)
    expect((await forgetful.sendRaw(signed.serialized)).status).toBe(200)
  })
})

// @row 2.errors/did-registry.7
it('returns 500 chain_unavailable without the chain', async () => {
  const runtime = createTestRuntime()
  const stranded = await startDidRegistry(chain, { runtime })
  const { unsigned } = await buildUpdate('chain away')
  const signed = await signUnsignedTransaction(chain.operator.wallet, unsigned)
  runtime.activeFaults.add('chain-down')
  expect(await stranded.sendRaw(signed.serialized)).toMatchObject({
    status: 500,
    body: { error: 'chain_unavailable' },
  })
  runtime.activeFaults.delete('chain-down')
  expect((await stranded.sendRaw(signed.serialized)).status).toBe(200)
})
