import { didRegistryCalls, toHex } from '#services/did-registry/adapters/did-registry-contract.ts'
import { compare } from '../harness/compare.ts'
import type { Measurement } from '../harness/measurement.ts'
import {
  type Account,
  createDidAccount,
  createRegistryClient,
  firstDocumentOf,
  type RegistryClient,
  validity,
} from '../registries/registry-client.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed/start-testbed-process.ts'

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

export const measurement: Measurement = {
  title: 'a DID document from the DID registry API, beside the eth_call under it',
  measure: (say) =>
    withTemporaryFolder(async (folder) => {
      const testbed = await startTestbedProcess(folder)
      try {
        const environment = testbed.file.environments.pre
        if (environment === undefined) throw new Error('no environment pre')
        const client = createRegistryClient(environment)
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
      } finally {
        await testbed.stop()
      }
    }),
}
