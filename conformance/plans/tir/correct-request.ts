import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { TirContext } from './context.ts'
import { correctData } from './correct-data.ts'
import { rpcRequest } from './rpc-request.ts'

/** Sends a request with nothing wrong, as a control: who answers none has refused nothing in particular. */
export const correctRequest =
  ({ tir, didRegistry }: Pick<TirContext, 'tir' | 'didRegistry'>) =>
  (): Promise<HttpAnswer> =>
    tir.post(rpcRequest('setAttributeData', correctData(didRegistry)))
