/** Error codes of JSON-RPC 2.0, section 5.1, and those of Ethereum nodes (EIP-1474). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  transactionRefused: -32000,
  /** EIP-1474. */
  resourceUnavailable: -32002,
  limitExceeded: -32005,
} as const

/** A JSON-RPC error answer of the chain node: code, message, and hex ABI data where a call reverted. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}
