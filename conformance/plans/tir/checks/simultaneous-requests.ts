import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineChecks, held } from '../../../kit/check.ts'
import { asPremise, requireJson } from '../../../kit/classify-answer.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import type { TirContext } from '../context.ts'
import {
  correctData,
  metadataOf,
  publish,
  signBody,
  signSending,
  wireMetadata,
} from '../publications.ts'
import { requireResult, rpcRequest } from '../rpc.ts'

/** How many clients call at the same time. */
const clients = 4

const forEach = <Result>(make: (at: number) => Result): Result[] =>
  Array.from({ length: clients }, (_, at) => make(at))

/** Publishes attributes with data, and returns their paths below the address of the TIR. */
async function publishEach(context: TirContext): Promise<string[]> {
  const paths: string[] = []
  while (paths.length < clients) {
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const data = { did, attributeId, jwt: signBody(context, metadata, by) }
    await asPremise('setAttributeData (see T02)', context.tir.writeData(data, by.signer))
    paths.push(`/v1/issuers/${encodeURIComponent(did)}/attributes/${attributeId}`)
  }
  return paths
}

export const checks = defineChecks<TirContext>({
  'T98-simultaneous-requests': {
    title: 'Simultaneous requests of several clients get their own responses',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.7', '2.endpoints/tir.11', '2.endpoints/tir.12', '2.endpoints/tir.17'],
    description:
      'Organizations use the TIR at the same time. If responses are mixed up, a TAO signs the publication of another one, or a verifier trusts the wrong issuer.',
    sends: `${clients} calls of setAttributeData, first one after the other and then at the same time; ${clients} calls of sendSignedTransaction with the same id at the same time, by accounts without authority. If the target has an accreditor, GET of ${clients} attributes as well.`,
    decides:
      'Each response has the id of its request, and the unsigned transaction or the attribute that the same request returned before; each hash belongs to its transaction, which has a receipt.',
    fix: 'Keep the data of a request in local variables. If requests share a result, such as a read that is still running, find it by everything that it depends on: the DID, attributeId and params, not the id.',
    control: 'setAttributeMetadata',
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const { tir, didRegistry, environment, canAccredit } = context
      const call = async (method: string, parameters: object, id: unknown) => {
        const answer = await tir.post(rpcRequest(method, parameters, id))
        return { id: requireJson(answer, method).id, result: requireResult(answer, method) }
      }
      const build = async (parameters: Record<string, unknown>, at: number) => {
        const { id, result } = await call('setAttributeData', parameters, `request ${at}`)
        const { data, from, nonce } = (result ?? {}) as Record<string, unknown>
        return { id, data, from, nonce }
      }
      const parameters = forEach(() => correctData(didRegistry))
      const alone: Awaited<ReturnType<typeof build>>[] = []
      for (const [at, each] of parameters.entries()) {
        alone.push(await asPremise('setAttributeData (see T01)', build(each, at)))
      }
      const built = await Promise.all(parameters.map(build))
      expectEqual('the responses to setAttributeData', built, alone)

      const prepare = async () => {
        const { did, address, privateKey } = didRegistry.createIdentity()
        const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
        const wire = wireMetadata(metadata, address)
        return signSending(await tir.client.build('setAttributeMetadata', wire), privateKey)
      }
      // A chain may not accept transactions of accounts without funds or permission.
      const single = call('sendSignedTransaction', await asPremise('a build', prepare()), 1)
      await asPremise('sendSignedTransaction (see T96)', single)
      const sendings = await Promise.all(forEach(prepare))
      const sent = await Promise.all(
        sendings.map(async (sending) => {
          const { signedRawTransaction: raw } = sending
          // Most clients count their requests from 1.
          const { id, result } = await call('sendSignedTransaction', sending, 1)
          const hash = hashOfTransaction(raw)
          const actual = { id, hash: String(result).toLowerCase() }
          expectEqual('id and hash of a sending', actual, { id: 1, hash })
          return hash
        }),
      )
      for (const hash of sent) await tir.awaitReceipt(hash)
      if (!canAccredit) return held(`${clients} clients got their own transactions and hashes`)

      const paths = await publishEach(context)
      const read = async (path: string) => requireJson(await tir.get(path), `GET ${path}`)
      const attributes: unknown[] = []
      for (const path of paths) attributes.push(await read(path))
      const readAll = () => Promise.all(paths.map(read))
      for (const round of await Promise.all([readAll(), readAll(), readAll()])) {
        expectEqual('the attributes', round, attributes)
      }
      return held(`${clients} clients got their own transactions, hashes and attributes`)
    },
  },
})
