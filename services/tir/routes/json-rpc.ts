import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/error-response.ts'
import type { TirDependencies } from '../dependencies.ts'
import { keepExactId } from '../domain/keep-exact-id.ts'
import { idOf } from '../domain/parse-rpc-request.ts'
import { rpcCodes, rpcError, rpcErrorObject } from '../errors.ts'
import { answerRpcMessage, errorAnswer } from '../methods/answer-rpc-message.ts'
import { rpcMethods } from '../methods/rpc-methods.ts'

const methodNames = [...rpcMethods.keys()]

/** The documentation's view of the body; the handler itself judges what arrives. */
const zMessage = z.unknown().meta({
  type: 'object',
  required: ['jsonrpc', 'method', 'params'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    method: { type: 'string', enum: methodNames },
    params: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 1 },
    id: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
})

const zAnswer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
})

/**
 * The JSON-RPC endpoint: errors are told in the answer under HTTP 200. Only what keeps the message
 * from being read, and a missing or invalid key, have an HTTP status of their own.
 *
 * @assumption A-25 unreadable JSON first, then the key: 401 and -32600, the id echoed
 */
export const jsonRpc = defineRoute<TirDependencies>()({
  method: 'post',
  path: '/trusted-issuers-registry/v1/jsonrpc',
  summary: 'Build and send transactions of the trusted issuers registry',
  description: `JSON-RPC 2.0, batches and notifications included. Methods: ${methodNames.join(', ')}. Needs the header x-api-key.`,
  tags: ['JSON-RPC'],
  // The handler looks at the key itself, since unreadable JSON is told first.
  auth: 'none',
  request: {
    body: zMessage,
    reviver: keepExactId,
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'setAttributeData',
      params: [
        {
          from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
          did: 'did:org:uc-pre:z1fNWVvuUi5PtY2REELNATXAnLEf',
          attributeId: `0x${'ab'.repeat(32)}`,
          attributeData: '0x65794a2e2e2e',
        },
      ],
    },
  },
  responses: {
    200: { description: 'The answer, with a result or an error', body: zAnswer },
    204: { description: 'Nothing to answer: notifications alone' },
    401: { description: 'The API key is missing or not valid', body: zAnswer },
  },
  errors: Object.keys(rpcCodes),
  errorBody: (error) =>
    errorAnswer(
      null,
      // A body that cannot be read as JSON is all that is refused with 400 here.
      error.status === 400
        ? { code: rpcCodes.parse_error, message: 'The body is no valid JSON.' }
        : rpcErrorObject(error),
    ),
  async handle({ body, request }, dependencies) {
    const { isValidApiKey, log } = dependencies
    // The body parser reads an empty body as an empty object.
    if (body === undefined || request.get('content-length') === '0') {
      throw new TestbedError({ code: 'parse_error', status: 400, message: 'The body is empty.' })
    }
    try {
      if (!(await isValidApiKey(request.get('x-api-key') ?? ''))) {
        const error = rpcError('invalid_request', 'The API key is missing or not valid.')
        return { status: 401, body: errorAnswer(idOf(body) ?? null, rpcErrorObject(error)) }
      }
    } catch (thrown) {
      const error = toTestbedError(thrown)
      log.error({ err: error, detail: error.detail }, error.message)
      return { status: 200, body: errorAnswer(idOf(body) ?? null, rpcErrorObject(error)) }
    }
    const answer = await answerRpcMessage(body, dependencies)
    return answer === undefined ? { status: 204 } : { status: 200, body: answer }
  },
})
