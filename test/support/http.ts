import { expect } from 'vitest'

/** A request, with at most one kind of body. */
export interface Call {
  /** By default POST if there is a body. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** By default redirects are followed. */
  readonly redirect?: 'follow' | 'manual'
  /** Sent unchanged as JSON, for bodies that are not. */
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Sends a request as any client does; does not read the response. */
export function send(
  url: string,
  { method, headers, json, form, body, redirect = 'follow' }: Call = {},
) {
  const sent = form === undefined ? (body ?? JSON.stringify(json)) : new URLSearchParams(form)
  const type = sent === undefined || form ? {} : { 'content-type': 'application/json' }
  return fetch(url, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: { ...type, ...headers },
    redirect,
    ...(sent !== undefined && { body: sent }),
  })
}

/** Sends a request; `body` is the parsed JSON of the response, undefined if it is not JSON. */
export async function callJson(url: string, call?: Call) {
  const response = await send(url, call)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parse(text) }
}

/** What {@link callJson} returns for this status and exactly this body, for `toEqual`. */
export const answerWith = (status: number, body: unknown) => ({
  status,
  headers: expect.any(Headers),
  body,
})

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
