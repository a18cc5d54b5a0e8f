import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineChecks, held } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import type { FreshIdentity } from '../../registries/did-registry-under-test.ts'
import { signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { requireSent } from '../send.ts'

/** How many DIDs are used at the same time. */
const owners = 4

export const checks = defineChecks<DidRegistryContext>({
  'D136-simultaneous-requests': {
    title: 'Simultaneous requests about different DIDs get their own responses',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.2',
      '2.endpoints/did-registry.5',
      '2.endpoints/did-registry.14',
      '2.endpoints/did-registry.32',
    ],
    description:
      'Organizations use the registry at the same time. If responses are mixed up, a client verifies with the key of another organization, or signs its change.',
    sends: `For ${owners} DIDs, GET and updateAlsoKnownAs, first one request after the other and then all of them at the same time; then the ${owners} signed transactions at the same time.`,
    decides:
      'Each document and each unsigned transaction is the one that the same request returned before. Each tx_hash belongs to its transaction, and each change whose receipt has status 1 is in its document.',
    fix: 'Keep the data of a request in local variables. If requests share a result, such as a read that is still running, find it by everything that it depends on: the DID, valid-at and the body.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const all: FreshIdentity[] = []
      while (all.length < owners) all.push(await registry.register())
      const inTurn = async <Result>(ask: (owner: FreshIdentity) => Promise<Result>) => {
        const results: Result[] = []
        for (const owner of all) results.push(await ask(owner))
        return results
      }
      const together = <Result>(ask: (owner: FreshIdentity) => Promise<Result>) =>
        Promise.all(all.map(ask))

      const read = ({ did }: FreshIdentity) => registry.requireDocument(did)
      const documents = await asPremise('resolving DIDs (see D01)', inTurn(read))
      const rounds = await Promise.all([together(read), together(read), together(read)])
      for (const round of rounds) expectEqual('the documents of the DIDs', round, documents)

      const aliasOf = ({ did }: FreshIdentity) => `urn:x:${did}`
      const build = async (owner: FreshIdentity) => {
        const { did, address: from } = owner
        const body = { did, alsoKnownAs: aliasOf(owner), from }
        return { owner, unsigned: await registry.client.build('updateAlsoKnownAs', body) }
      }
      const callsOf = (built: readonly Awaited<ReturnType<typeof build>>[]) =>
        built.map(({ unsigned: { to, data, nonce, from } }) => ({ to, data, nonce, from }))
      const alone = await asPremise('building transactions (see D02)', inTurn(build))
      const built = await together(build)
      expectEqual('the unsigned transactions', callsOf(built), callsOf(alone))

      const sending = built.map(async ({ owner, unsigned }) => {
        const raw = signTyped(unsigned, owner.privateKey)
        return { owner, raw, ...(await requireSent(registry, raw, [200, 206])) }
      })
      for (const { owner, raw, tx_hash, receipt } of await Promise.all(sending)) {
        const hash = hashOfTransaction(raw)
        expectEqual('tx_hash', tx_hash.toLowerCase(), hash)
        // Whether a pending change arrives, D21 examines.
        if (receipt === null) continue
        const { status, ...read } = receipt
        const actual = {
          hash: String(read.hash).toLowerCase(),
          from: String(read.from).toLowerCase(),
          status,
        }
        const expected = { hash, from: owner.address.toLowerCase(), status: 1 }
        expectEqual('hash, from and status of the receipt', actual, expected)
        const { alsoKnownAs } = await registry.requireDocument(owner.did)
        expectEqual('alsoKnownAs', alsoKnownAs, [aliasOf(owner)])
      }
      return held(`${owners} clients got their own responses at the same time`)
    },
  },
})
