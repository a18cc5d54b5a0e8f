import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { didRegistryCalls, toHex } from '#services/did-registry/adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '#services/did-registry/domain/base-document.ts'
import { createControlKey } from '#services/did-registry/domain/public-keys.ts'
import { runLoad } from '../harness/run-load.ts'
import { createDidAccount, createRegistryClient, firstDocumentOf } from './registry-client.ts'

/** Registers the DIDs of the accounts 0 to `count` - 1, straight on the chain. */
export async function fillRegistry(environment: Environment, count: number): Promise<void> {
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
