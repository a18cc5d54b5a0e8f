import { toHex } from '#core/ethereum/account.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { didRegistryCalls } from '#services/did-registry/adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '#services/did-registry/domain/base-document.ts'
import { createControlKey } from '#services/did-registry/domain/public-keys.ts'
import { compare, type Figure, type Measurement, type Peer } from '../harness.ts'
import {
  startTestbedProcess,
  type TestbedProcess,
  withTemporaryFolder,
  withTestbeds,
} from '../testbed-process.ts'
import {
  type Account,
  createDidAccount,
  createRegistryClient,
  firstDocumentOf,
  type RegistryClient,
  validity,
} from './registry-client.ts'

const workers = 8

/** updateAlsoKnownAs through the API: build, sign, send, receipt. */
async function prepareWriter({ environment }: TestbedProcess) {
  const client = createRegistryClient(environment)
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
  return {
    throughApi: async (index: number, worker: number) => {
      const account = accountOf(worker)
      const body = { did: account.did, alsoKnownAs: `urn:write:${index}` }
      await client.write('updateAlsoKnownAs', body, account)
    },
    toChain: async (index: number, worker: number) => {
      const account = accountOf(workers + worker)
      const data = didRegistryCalls.updateAlsoKnownAs.encodeInput({
        did: account.did,
        alternativeIdentifier: `urn:write:${index}`,
      })
      const call = { to: environment.chain.didRegistryAddress, data: toHex(data) }
      await client.send(call, account.nonce++, account)
    },
  }
}

export const measureRegistryWrites: Measurement = (say, base) =>
  withTestbeds(base, async (ours, other) => {
    const { throughApi, toChain } = await prepareWriter(ours)
    const peers: Peer[] = [{ name: 'the chain node', operation: toChain, atLeast: 0.6 }]
    if (other !== undefined) {
      peers.push({ name: other.revision, operation: (await prepareWriter(other)).throughApi })
    }
    return await compare(
      {
        unit: 'writes',
        ours: { name: 'API', operation: throughApi },
        peers,
        loads: [
          { concurrency: 1, operations: 100 },
          { concurrency: workers, operations: 300 },
        ],
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

export const measureResolution: Measurement = (say, base) =>
  withTestbeds(base, async (ours, other) => {
    const { didRegistryAddress: to } = ours.environment.chain
    const client = createRegistryClient(ours.environment)
    const figures = []
    for (const methods of [1, 50]) {
      const did = await registerWithMethods(client, ours.environment.onboardingNode, methods)
      const time = BigInt(Math.floor(Date.now() / 1000))
      const data = toHex(didRegistryCalls.resolve.encodeInput({ did, time }))
      const operations = methods === 1 ? 400 : 100
      const call = (): Promise<unknown> => client.callChain('eth_call', [{ to, data }, 'latest'])
      const peers: Peer[] = [{ name: 'eth_call', operation: call, atLeast: 0.6, atConcurrency: 1 }]
      if (other !== undefined) {
        const { revision, environment } = other
        const theirs = createRegistryClient(environment)
        await registerWithMethods(theirs, environment.onboardingNode, methods)
        peers.push({ name: revision, operation: () => theirs.resolve(did) })
      }
      figures.push(
        ...(await compare(
          {
            unit: `documents of ${methods} method${methods === 1 ? '' : 's'}`,
            ours: { name: 'API', operation: () => client.resolve(did) },
            peers,
            loads: [
              { concurrency: 1, operations },
              { concurrency: 8, operations },
            ],
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
  await fillRegistry(testbed.environment, 0, count)
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
            peers: [{ name: `${few} DIDs`, operation: peer, atLeast: 0.95 }],
            // Rounds of a second: the limit is narrower than the noise of shorter ones.
            loads: [{ concurrency: 1, operations: 1000 }],
            rounds: 9,
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
          ...(await flat(
            'accreditations',
            () => large.client.readAttribute(),
            () => small.client.readAttribute(),
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

/** The largest batch that shares few blocks: a block holds about 70 registrations. */
const batchSize = 64

/** Registers the DIDs of the accounts from a number up to, but not including, another one. */
export async function fillRegistry(environment: Environment, from: number, to: number) {
  const { onboardingNode, chain } = environment
  const client = createRegistryClient(environment)
  const pending = [onboardingNode.address, 'pending']
  for (let number = from; number < to; number += batchSize) {
    const calls = Array.from({ length: Math.min(batchSize, to - number) }, (_, place) => {
      const { alsoKnownAs, did, ...key } = firstDocumentOf(createDidAccount(number + place))
      const data = didRegistryCalls.insertFirstDidDocument.encodeInput({
        did,
        baseDocument: defaultBaseDocument,
        key: createControlKey(key),
        alternativeIdentifier: alsoKnownAs,
      })
      return { to: chain.didRegistryAddress, data: toHex(data) }
    })
    const nonce = Number(await client.callChain('eth_getTransactionCount', pending))
    await client.sendAll(calls, nonce, onboardingNode)
  }
  const { total } = await client.list(1, 1)
  if (total < to) throw new Error(`${total} of ${to} DIDs are registered`)
}
