/** Returns the headers with lower-case names, so that no header is sent twice (RFC 9110, 5.1). */
export function headerNamesInLowerCase(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** Converts the headers of a response in Node's form, in which a repeated header is a list. */
export function receivedHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}

/** A response with its whole body. */
export interface ReceivedResponse {
  readonly status: number
  /** By lower-case name; a repeated header is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The part of undici's `DispatchHandler` that receives a response. */
interface ResponseHandler {
  onRequestStart(controller: { abort(reason: Error): void }): void
  onResponseStart(
    controller: unknown,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void
  onResponseData(controller: unknown, chunk: Uint8Array): void
  onResponseEnd(): void
  onResponseError(controller: unknown, error: Error): void
}

/** A response that is on its way. */
interface PendingResponse {
  readonly response: Promise<ReceivedResponse>
  /** Ends the exchange: the response rejects with the reason, unless it is complete. */
  abort(reason: Error): void
}

/**
 * Receives the response to a request that `dispatch` sends with undici's `dispatch`. undici's own
 * `request` makes a stream and an abort signal for each, which costs more than the exchange.
 *
 * @param largestBody in bytes; the rest of a longer one is not read, and the response rejects
 */
export function receiveResponse(
  dispatch: (handler: ResponseHandler) => void,
  largestBody: number,
): PendingResponse {
  const { promise: response, resolve, reject } = Promise.withResolvers<ReceivedResponse>()
  let controller: Parameters<ResponseHandler['onRequestStart']>[0] | undefined
  let failure: Error | undefined
  const abort = (reason: Error) => {
    failure = reason
    controller?.abort(reason)
    reject(reason)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  let status = 0
  let headers: ReceivedResponse['headers'] = {}
  try {
    dispatch({
      onRequestStart(started) {
        controller = started
        // It may have been aborted while it waited for a connection.
        if (failure !== undefined) started.abort(failure)
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = received
      },
      onResponseData(_controller, chunk) {
        size += chunk.byteLength
        if (size > largestBody) {
          abort(new Error(`its body is longer than ${largestBody} bytes`))
        } else chunks.push(chunk)
      },
      onResponseEnd() {
        resolve({ status, headers, bytes: Buffer.concat(chunks) })
      },
      onResponseError(_controller, error) {
        reject(error)
      },
    })
  } catch (error) {
    reject(error)
  }
  return { response, abort }
}
