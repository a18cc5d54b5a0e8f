import { findNoServerError } from '../../registries/find-no-server-error.ts'
import { hostileBodies } from '../../registries/hostile-bodies.ts'
import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T63',
  title: 'Nothing that a client can send is answered with a 5xx',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.8'],
  description:
    'A client’s mistake that ends in a fault of the server’s hides what is wrong, and shows attackers where to look.',
  sends: 'Hostile bodies to the JSON-RPC endpoint, and odd paths.',
  decides: 'None of the answers is a 5xx.',
  async run(context) {
    const { tir, didRegistry } = context
    await requireControl(correctRequest(context))
    const { did } = didRegistry.createIdentity()
    const posts = Object.entries(hostileBodies).map(
      ([what, body]) => [what, () => tir.post(body)] as const,
    )
    const calls = ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction'].map(
      (method) =>
        [
          `members of other types to ${method}`,
          () => tir.post(rpcRequest(method, { from: {}, did: [], r: {}, unsignedTransaction: 1 })),
        ] as const,
    )
    const paths = [
      `/v1/issuers/${did}/attributes/${'a'.repeat(4000)}`,
      '/v1/issuers/%00/attributes/00',
      '/v1/issuers/%ff/attributes/%ff',
      '/v1/issuers/__proto__/attributes/0',
    ]
    const gets = paths.map((path) => [path.slice(0, 80), () => tir.get(path)] as const)
    return findNoServerError(Object.fromEntries([...posts, ...calls, ...gets]))
  },
})
