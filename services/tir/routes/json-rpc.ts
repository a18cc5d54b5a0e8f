import { z } from 'zod'
import { keepExactId } from '#core/json/exact-number.ts'
import { defineRoute } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  exampleData,
  exampleHash,
  exampleMetadata,
  exampleSending,
  exampleTransaction,
} from '../domain/examples.ts'
import { idOf, type RpcId, zRpcAnswer, zRpcFailure, zRpcMessage } from '../domain/rpc-message.ts'
import { emptyBody, type RpcErrorCode, rpcCodes, rpcError, rpcErrorObject } from '../errors.ts'
import { answerRpcMessage, errorAnswer, rpcMethods } from '../operations/answer-rpc-message.ts'

const methodNames = [...rpcMethods.keys()]

const invalidKey = 'The API key is missing or not valid. Send a valid one in the header x-api-key.'

/**
 * The JSON-RPC endpoint. Errors are in the response with HTTP 200; only an unreadable message, and
 * a missing or invalid key, have separate HTTP statuses.
 *
 * @assumption A-25 unreadable JSON first, then the key: 401 and -32600, the id echoed
 * @row 2.endpoints/tir.1 2.authentication.2
 */
export const jsonRpc = defineRoute<Dependencies>()({
  method: 'post',
  path: '/trusted-issuers-registry/v1/jsonrpc',
  summary: 'Build and send transactions of the trusted issuers registry',
  description: `JSON-RPC 2.0, including batches and notifications. Methods: ${methodNames.join(', ')}. Requires the header x-api-key.`,
  tags: ['JSON-RPC'],
  // The handler checks the key itself, since it reports unreadable JSON first.
  auth: 'none',
  security: 'apiKey',
  request: {
    // The handler validates the body itself: JSON-RPC defines its own errors.
    body: z.unknown(),
    documented: zRpcMessage,
    emptyBody,
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
      description: 'The response, with a result or an error',
      body: zRpcAnswer,
      examples: {
        setAttributeData: { jsonrpc: '2.0', id: 1, result: exampleTransaction },
        sendSignedTransaction: { jsonrpc: '2.0', id: 1, result: exampleHash },
        'invalid request': exampleFailure('invalid_request', 'Not a valid JSON-RPC 2.0 request.'),
        'method not found': exampleFailure('method_not_found', 'Unknown method.'),
        'invalid params': exampleFailure('invalid_params', 'Invalid params: from is required.'),
        'internal error': exampleFailure('internal_error', 'An internal error occurred.'),
      },
    },
    204: { description: 'No response, because all requests are notifications' },
    400: {
      description: 'The body is not valid JSON',
      body: zRpcFailure,
      example: exampleFailure('parse_error', 'The body is empty.', null),
    },
    401: {
      description: 'The API key is missing or not valid',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', invalidKey),
    },
    413: {
      description: 'The body is larger than this endpoint accepts',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', 'The body is larger than accepted.', null),
    },
    415: {
      description: 'The content type of the body is not supported',
      body: zRpcFailure,
      example: exampleFailure('invalid_request', 'Send the body as application/json.', null),
    },
  },
  errorBody: (error) =>
    errorAnswer(
      null,
      // Unreadable JSON is the only error with 400 here.
      error.status === 400
        ? { code: rpcCodes.parse_error, message: error.message }
        : rpcErrorObject(error),
    ),
  async handle({ body, request }, dependencies) {
    const { isValidApiKey, log } = dependencies
    try {
      if (!(await isValidApiKey(request.get('x-api-key') ?? ''))) {
        const error = rpcError('invalid_request', invalidKey)
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
