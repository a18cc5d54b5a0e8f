import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import type { TirDependencies } from '../dependencies.ts'
import {
  exampleData,
  exampleHash,
  exampleMetadata,
  exampleSending,
  exampleTransaction,
} from '../domain/examples.ts'
import {
  idOf,
  keepExactId,
  type RpcId,
  zRpcAnswer,
  zRpcFailure,
  zRpcMessage,
} from '../domain/rpc-message.ts'
import { emptyBody, type RpcErrorCode, rpcCodes, rpcError, rpcErrorObject } from '../errors.ts'
import { answerRpcMessage, errorAnswer, rpcMethods } from '../operations/answer-rpc-message.ts'

const methodNames = [...rpcMethods.keys()]

/**
 * The JSON-RPC endpoint: errors are told in the answer under HTTP 200. Only what keeps the message
 * from being read, and a missing or invalid key, have an HTTP status of their own.
 *
 * @assumption A-25 unreadable JSON first, then the key: 401 and -32600, the id echoed
 * @row 2.endpoints/tir.1 2.authentication.2
 */
export const jsonRpc = defineRoute<TirDependencies>()({
  method: 'post',
  path: '/trusted-issuers-registry/v1/jsonrpc',
  summary: 'Build and send transactions of the trusted issuers registry',
  description: `JSON-RPC 2.0, batches and notifications included. Methods: ${methodNames.join(', ')}. Needs the header x-api-key.`,
  tags: ['JSON-RPC'],
  // The handler looks at the key itself, since unreadable JSON is told first.
  auth: 'none',
  security: 'apiKey',
  request: {
    // The handler itself judges what arrives: JSON-RPC has errors of its own.
    body: z.unknown(),
    documented: zRpcMessage,
    reviver: keepExactId,
    examples: {
      setAttributeMetadata: exampleRequest('setAttributeMetadata', exampleMetadata),
      setAttributeData: exampleRequest('setAttributeData', exampleData),
      sendSignedTransaction: exampleRequest('sendSignedTransaction', exampleSending),
      batch: [exampleRequest('setAttributeMetadata', exampleMetadata)],
    },
  },
  responses: {
    200: {
      description: 'The answer, with a result or an error',
      body: zRpcAnswer,
      examples: {
        setAttributeData: { jsonrpc: '2.0', id: 1, result: exampleTransaction },
        sendSignedTransaction: { jsonrpc: '2.0', id: 1, result: exampleHash },
        'invalid request': exampleFailure('invalid_request', 'This is no JSON-RPC 2.0 request.'),
        'method not found': exampleFailure('method_not_found', 'There is no such method.'),
        'invalid params': exampleFailure('invalid_params', 'Invalid params: from is required.'),
        'internal error': exampleFailure('internal_error', 'Internal error.'),
      },
    },
    204: { description: 'Nothing to answer: notifications alone' },
    400: {
      description: 'The body is no JSON',
      body: zRpcFailure,
      example: exampleFailure('parse_error', 'The body is empty.', null),
    },
    401: {
      description: 'The API key is missing or not valid',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', 'The API key is missing or not valid.'),
    },
    413: {
      description: 'The body is larger than this endpoint accepts',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', 'The body is larger than accepted.', null),
    },
    415: {
      description: 'The body has another content type',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', 'Send the body as application/json.', null),
    },
  },
  errorBody: (error) =>
    errorAnswer(
      null,
      // A body that cannot be read as JSON is all that is refused with 400 here.
      error.status === 400
        ? { code: rpcCodes.parse_error, message: error.message }
        : rpcErrorObject(error),
    ),
  async handle({ body, request }, dependencies) {
    const { isValidApiKey, log } = dependencies
    // The body parser reads an empty body as an empty object.
    if (body === undefined || request.get('content-length') === '0') {
      throw emptyBody()
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

function exampleRequest(method: string, params: object) {
  return { jsonrpc: '2.0', id: 1, method, params: [params] }
}

function exampleFailure(code: RpcErrorCode, message: string, id: RpcId = 1) {
  return errorAnswer(id, { code: rpcCodes[code], message })
}
