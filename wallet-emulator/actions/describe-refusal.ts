import type { WalletResponse } from '../http/create-wallet-http.ts'
import type { CounterpartAnswer } from '../wallet-error.ts'

/** What the other side said when it refused, whatever members it said it in. */
export function describeRefusal({ url, status, json }: WalletResponse): CounterpartAnswer {
  const body = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  const texts = [body.error_description, body.message, body.detail]
  const errorDescription = texts.find((text) => typeof text === 'string')
  return {
    url,
    status,
    ...(typeof body.error === 'string' ? { error: body.error } : {}),
    ...(errorDescription === undefined ? {} : { errorDescription }),
  }
}

/** One sentence for people: "http://… answered 400 invalid_grant: The code has expired." */
export function sentenceOf({ url, status, error, errorDescription }: CounterpartAnswer): string {
  const name = error === undefined ? '' : ` ${error}`
  const text = errorDescription === undefined ? '.' : `: ${errorDescription}`
  return `${url} answered ${status}${name}${text}`
}
