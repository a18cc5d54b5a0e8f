/** A JSON-RPC 2.0 request of the TIR: params is an array that holds one object. */
export function rpcRequest(method: string, parameters: object, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params: [parameters] }
}
