import { InvalidFetchResponseError, Oauth2ClientErrorResponseError } from '@openid4vc/oauth2'
import { Openid4vciRetrieveCredentialsError } from '@openid4vc/openid4vci'

/** 1 if the wallet or its counterpart refused, 3 if a server failed or was not reached. */
export function exitCodeOf(error: unknown): 1 | 3 {
  // What fetch throws if there is no answer.
  if (error instanceof TypeError || !(error instanceof Error)) return 3
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 3
  const status = statusOf(error)
  return status === 429 || status >= 500 ? 3 : 1
}

function statusOf(error: unknown): number {
  if (error instanceof InvalidFetchResponseError) return error.response.status
  if (error instanceof Oauth2ClientErrorResponseError) return error.response.status
  if (error instanceof Openid4vciRetrieveCredentialsError) return error.response.response.status
  return 400
}
