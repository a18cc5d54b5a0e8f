import { didRegistryCalls, toHex } from '#services/did-registry/adapters/did-registry-contract.ts'
import { compare } from '../harness/compare.ts'
import type { Measurement } from '../harness/measurement.ts'
import {
  createDidAccount,
  createRegistryClient,
  firstDocumentOf,
} from '../registries/registry-client.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed/start-testbed-process.ts'

const workers = 8

export const measurement: Measurement = {
  title:
    'updateAlsoKnownAs through the API (build, sign, send, receipt), beside the same transaction ' +
    'signed and sent to the chain node',
  measure: (say) =>
    withTemporaryFolder(async (folder) => {
      const testbed = await startTestbedProcess(folder)
      try {
        const environment = testbed.file.environments.pre
        if (environment === undefined) throw new Error('no environment pre')
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
      } finally {
        await testbed.stop()
      }
    }),
}
