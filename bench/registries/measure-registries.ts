import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { didRegistryCalls, toHex } from '#services/did-registry/adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '#services/did-registry/domain/base-document.ts'
import { createControlKey } from '#services/did-registry/domain/public-keys.ts'
import { compare, type Figure, type Measurement, runLoad } from '../harness.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed-process.ts'
import {
  type Account,
  createDidAccount,
  createRegistryClient,
  firstDocumentOf,
  type RegistryClient,
  validity,
} from './registry-client.ts'

const workers = 8

/** Does the work on the registry of a fresh testbed. */
const withRegistry = <T>(work: (environment: Environment, client: RegistryClient) => Promise<T>) =>
  withTemporaryFolder(async (folder) => {
    const testbed = await startTestbedProcess(folder)
    try {
      return await work(testbed.environment, createRegistryClient(testbed.environment))
    } finally {
      await testbed.stop()
    }
  })

/** updateAlsoKnownAs through the API: build, sign, send, receipt. */
export const measureRegistryWrites: Measurement = (say) =>
  withRegistry(async (environment, client) => {
    const accounts = Array.from({ length: 2 * workers }, (_, number) => ({
      ...createDidAccount(number),
      nonce: 0,
    }))
    for (const account of accounts) {
      const document = firstDocumentOf(account)
      await client.write('insertFirstDidDocument', document, environment.onboardingNode)
    }
    const accountOf = (position: number) => {
      const account = accounts[position]
      if (account === undefined) throw new Error('more workers than accounts')
      return account
    }
    return await compare(
      {
        unit: 'writes',
        ours: {
          name: 'API',
          operation: async (index, worker) => {
            const account = accountOf(worker)
            const body = { did: account.did, alsoKnownAs: `urn:write:${index}` }
            await client.write('updateAlsoKnownAs', body, account)
          },
        },
        peer: {
          name: 'chain node',
          operation: async (index, worker) => {
            const account = accountOf(workers + worker)
            const data = didRegistryCalls.updateAlsoKnownAs.encodeInput({
              did: account.did,
              alternativeIdentifier: `urn:write:${index}`,
            })
            const call = { to: environment.chain.didRegistryAddress, data: toHex(data) }
            await client.send(call, account.nonce++, account)
          },
        },
        loads: [
          { concurrency: 1, operations: 100 },
          { concurrency: workers, operations: 300 },
        ],
        atLeast: 0.5,
      },
      say,
    )
  })

async function registerWithMethods(client: RegistryClient, node: Account, methods: number) {
  const account = createDidAccount(methods)
  await client.write('insertFirstDidDocument', firstDocumentOf(account), node)
  for (let number = 1; number < methods; number++) {
    const { vMethodId, publicKey } = createDidAccount(1000 + number)
    const key = { did: account.did, vMethodId, publicKeyType: 'secp256k1', publicKey }
    await client.write('addVerificationMethod', key, account)
    const use = { did: account.did, name: 'assertionMethod', vMethodId }
    await client.write('addVerificationRelationship', { ...use, ...validity }, account)
  }
  return account.did
}

export const measureResolution: Measurement = (say) =>
  withRegistry(async (environment, client) => {
    const { didRegistryAddress: to } = environment.chain
    const figures = []
    for (const methods of [1, 50]) {
      const did = await registerWithMethods(client, environment.onboardingNode, methods)
      const time = BigInt(Math.floor(Date.now() / 1000))
      const data = toHex(didRegistryCalls.resolve.encodeInput({ did, time }))
      const operations = methods === 1 ? 400 : 100
      figures.push(
        ...(await compare(
          {
            unit: `documents of ${methods} method${methods === 1 ? '' : 's'}`,
            ours: { name: 'API', operation: () => client.resolve(did) },
            peer: {
              name: 'eth_call',
              operation: () => client.callChain('eth_call', [{ to, data }, 'latest']),
            },
            loads: [
              { concurrency: 1, operations },
              { concurrency: 8, operations },
            ],
            atLeast: 0.5,
          },
          say,
        )),
      )
    }
    return figures
  })

const many = 10_000
const few = 10
const pageSize = 10
/**
 * Milliseconds. A registration is the most expensive change of the DID registry: 830,000 gas each.
 */
const longestReplay = 60_000

/** A testbed whose registry has this many DIDs in addition to the seeded ones. */
async function startFilled(folder: string, count: number) {
  const testbed = await startTestbedProcess(folder)
  await fillRegistry(testbed.environment, count)
  return { testbed, client: createRegistryClient(testbed.environment) }
}

export const measureManyDids: Measurement = (say) =>
  withTemporaryFolder((largeFolder) =>
    withTemporaryFolder(async (smallFolder) => {
      say(`registering ${many} DIDs`)
      const large = await startFilled(largeFolder, many)
      const small = await startFilled(smallFolder, few)
      const flat = (unit: string, ours: () => Promise<unknown>, peer: () => Promise<unknown>) =>
        compare(
          {
            unit,
            ours: { name: `${many} DIDs`, operation: ours },
            peer: { name: `${few} DIDs`, operation: peer },
            loads: [{ concurrency: 1, operations: 200 }],
            atLeast: 0.8,
          },
          say,
        )
      // Spread over the whole registry, and computed in advance: that costs more than reading.
      const didsOf = (count: number) =>
        Array.from({ length: 10 }, (_, place) => createDidAccount((place * count) / 10).did)
      const manyDids = didsOf(many)
      const fewDids = didsOf(few)
      const anyOf = (dids: readonly string[]) => dids[Math.floor(Math.random() * dids.length)] ?? ''
      const figures: Figure[] = []
      try {
        figures.push(
          ...(await flat(
            'resolutions',
            () => large.client.resolve(anyOf(manyDids)),
            () => small.client.resolve(anyOf(fewDids)),
          )),
          ...(await flat(
            'first pages',
            () => large.client.list(1, pageSize),
            () => small.client.list(1, pageSize),
          )),
          ...(await flat(
            'last pages',
            () => large.client.list(many / pageSize, pageSize),
            () => small.client.list(1, pageSize),
          )),
        )
      } finally {
        await Promise.all([large.testbed.stop(), small.testbed.stop()])
      }
      say('restart on its journal')
      const again = await startTestbedProcess(largeFolder)
      await again.stop()
      figures.push({
        what: `start on a journal of ${many} registrations`,
        ours: `${(again.startMilliseconds / 1000).toFixed(1)} s, ${((many / again.startMilliseconds) * 1000).toFixed(0)} transactions/s`,
        target: `at most ${longestReplay / 1000} s`,
        holds: again.startMilliseconds <= longestReplay,
      })
      return figures
    }),
  )

/** Registers the DIDs of the accounts 0 to `count` - 1, directly on the chain. */
async function fillRegistry(environment: Environment, count: number): Promise<void> {
  const { onboardingNode, chain } = environment
  const client = createRegistryClient(environment)
  const first = Number(
    await client.callChain('eth_getTransactionCount', [onboardingNode.address, 'pending']),
  )
  await runLoad(
    (number) => {
      const { alsoKnownAs, did, ...key } = firstDocumentOf(createDidAccount(number))
      const data = didRegistryCalls.insertFirstDidDocument.encodeInput({
        did,
        baseDocument: defaultBaseDocument,
        key: createControlKey(key),
        alternativeIdentifier: alsoKnownAs,
      })
      const call = { to: chain.didRegistryAddress, data: toHex(data) }
      return client.send(call, first + number, onboardingNode)
    },
    { concurrency: 1, operations: count },
  )
}
