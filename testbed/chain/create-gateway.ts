import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { keepExactId } from '#core/json/exact-number.ts'
import { findJsonProblem } from '#core/json/read-json.ts'
import { createServer } from '#kit/node-http.ts'
import type { HostCheck } from '#kit/origins.ts'
import { findUnclearHeader } from '#kit/read-request.ts'
import { rpcCodes } from './rpc-error.ts'

const largestBody = 1024 * 1024
const contentTypes = new Set(['application/json', 'application/json-rpc'])

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}

/** Rejects the HTTP request itself, in a form that a JSON-RPC client can read. */
function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  if (status === 405) response.setHeader('allow', 'POST')
  reply(response, status, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Ids that a double may not represent; most have few digits, which are parsed faster. */
const longId = /"id"\s*:\s*[-+.\deE]{16}/

const parseMessage = (text: string): unknown =>
  longId.test(text) ? JSON.parse(text, keepExactId) : JSON.parse(text)

/** Answers a JSON-RPC message; undefined if there is no answer. */
type AnswerRpc = (message: unknown) => Promise<string | undefined>

export interface Gateway {
  readonly server: Server
  /** Sets what answers; 503 before. */
  serve(answerRpc: AnswerRpc): void
}

/**
 * Serves the clients of the chain: JSON-RPC 2.0 by POST, bodies up to 1 MiB. Requests must have the
 * content type JSON, so that a web page cannot send one without a preflight, and must name this
 * server as their Host, which prevents DNS rebinding.
 */
export function createGateway(isOwnHost: HostCheck): Gateway {
  let answerRpc: AnswerRpc | undefined
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const unclear = findUnclearHeader(request)
    if (unclear !== undefined) return refuse(response, 400, rpcCodes.invalidRequest, unclear)
    if (!isOwnHost(request.headers.host)) {
      return refuse(response, 403, rpcCodes.invalidRequest, 'The Host header names another server.')
    }
    if (answerRpc === undefined) {
      response.setHeader('retry-after', '1')
      return refuse(response, 503, rpcCodes.resourceUnavailable, 'The chain is starting.')
    }
    if (request.method !== 'POST') {
      return refuse(response, 405, rpcCodes.invalidRequest, 'Send JSON-RPC 2.0 requests by POST.')
    }
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (!contentTypes.has(type)) {
      return refuse(response, 415, rpcCodes.invalidRequest, 'Send the body as application/json.')
    }
    const body = await readBody(request)
    if (body === undefined) {
      response.setHeader('connection', 'close')
      return refuse(response, 413, rpcCodes.invalidRequest, 'The body is larger than 1 MiB.')
    }
    const problem = findJsonProblem(body)
    if (problem !== undefined) {
      const text = `The body is not acceptable JSON: ${problem}.`
      return refuse(response, 200, rpcCodes.parseError, text)
    }
    let message: unknown
    try {
      message = parseMessage(body.toString('utf8'))
    } catch {
      return refuse(response, 200, rpcCodes.parseError, 'The body is not valid JSON.')
    }
    const answer = await answerRpc(message)
    if (answer === undefined) response.writeHead(204).end()
    else reply(response, 200, answer)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  return {
    server,
    serve(answer) {
      answerRpc = answer
    },
  }
}
