import { parseJws } from '#core/crypto/jws.ts'
import type { ServedRequest } from '../../../world/start-kit-server.ts'

/** What a wallet posted to a response_uri. */
export interface ReceivedPost {
  readonly contentType: string
  readonly form: URLSearchParams
  /** Empty where there is none. */
  readonly vpToken: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** What `vp.verifiableCredential` holds; empty where that is no list. */
  readonly credentials: readonly unknown[]
}

/** Takes a post to a response_uri apart; nothing is verified here. */
export function readPost({ headers, body }: ServedRequest): ReceivedPost {
  const form = new URLSearchParams(body)
  const vpToken = form.get('vp_token') ?? ''
  const jws = parseJws(vpToken)
  const { header, payload } = jws.ok ? jws : { header: {}, payload: {} }
  const { vp } = payload as { vp?: { verifiableCredential?: unknown } | null }
  const held = vp?.verifiableCredential
  return {
    contentType: headers['content-type'] ?? '',
    form,
    vpToken,
    header,
    payload,
    credentials: Array.isArray(held) ? held : [],
  }
}
